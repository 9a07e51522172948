warpline dump --launch 2 vadd
