# With L2 each of the two reads of a is a read of its four sectors there.
warpline replay vadd --gpu v100 --set l2=on --bypass argument:a --launch 0
