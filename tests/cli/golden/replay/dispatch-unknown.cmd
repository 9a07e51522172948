warpline replay --dispatch depth loops
