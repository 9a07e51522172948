# vadd reads each line of a and of b once: all misses are cold, half of them beside L1.
warpline replay vadd --read-only site:0
