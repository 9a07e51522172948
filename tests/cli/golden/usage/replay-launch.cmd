warpline replay --launch 2 vadd
