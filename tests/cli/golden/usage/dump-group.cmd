warpline dump --launch 1 --group 1 vadd
