# vadd reads each line of a and of b once. Those of a go past L1: half of the reads, all 128 bytes of a line each; the others are cold misses.
warpline replay vadd --bypass site:0
