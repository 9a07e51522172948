warpline replay --schedule lwf:48 vadd
