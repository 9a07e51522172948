warpline dump --group 1 vadd
