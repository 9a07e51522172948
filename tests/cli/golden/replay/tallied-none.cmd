warpline replay --launch 12002 tallied
