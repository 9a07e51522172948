warpline replay --launch one vadd
