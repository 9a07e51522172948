warpline replay --launch 7 tallied
