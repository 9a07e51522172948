warpline dump --format ancestor loops >a && warpline import a -o out && warpline dump --format ancestor out | diff a - && echo same
