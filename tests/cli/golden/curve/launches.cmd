warpline curve --gpu mi210 --launch 1 vadd; warpline curve vadd | head -6
