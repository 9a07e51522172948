warpline replay --set l1_ways vadd
