warpline replay --launch 1 incomplete
