warpline dump --launch 0 --group 1 vadd | sed -n 1,5p
