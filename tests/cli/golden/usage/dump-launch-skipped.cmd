warpline dump --launch 3 incomplete
