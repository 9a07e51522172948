warpline replay loops
