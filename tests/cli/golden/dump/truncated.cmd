warpline dump --launch 0 truncated
