# No list, an empty one, and one that names no warp: the same output, but for the line that says that there is a list.
warpline replay vadd >a; warpline replay vadd --bypass none | cmp - a; warpline replay vadd --bypass warps:7 | diff a -
