warpline replay --launch 0 truncated
