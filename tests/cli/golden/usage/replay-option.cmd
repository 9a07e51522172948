warpline replay --lunch 1 vadd
