warpline replay --schedule lwf:2048 vadd
