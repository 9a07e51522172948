warpline replay --l2 on --launch 0 vadd
