warpline record -o
