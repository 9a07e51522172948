warpline import --format ancestor loops.txt -o out && warpline info out && warpline dump out
