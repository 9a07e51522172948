warpline import bad-line.txt
