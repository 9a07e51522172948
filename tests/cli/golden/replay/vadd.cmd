warpline replay vadd
