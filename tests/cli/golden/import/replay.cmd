warpline import loops.txt -o out && warpline replay out
