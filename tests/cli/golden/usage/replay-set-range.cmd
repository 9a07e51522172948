warpline replay --set l1_ways=0 vadd
