warpline reorder --launch 9 vadd
