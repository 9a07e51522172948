# Of launch 0 each of two warps reads a line of a past L1: 256 bytes; and so its site 0, and those of its SMs that have any. Without a list nothing is said of it.
warpline replay vadd --bypass site:0 --launch 0 --stats lines --json - | grep -E '"(bypass|bytes_by|bytes_from|reads|requests)' | grep -v ' 0,*$'; warpline replay vadd --stats all --json - | grep -c bypass
