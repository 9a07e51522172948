# Of launch 0 each of two warps reads a line of a beside L1: in the launch, its site 0, and the sum.
warpline replay vadd --read-only site:0 --launch 0 --json - | grep -A1 '"read_only"'
