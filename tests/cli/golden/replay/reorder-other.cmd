warpline reorder loops >config; warpline replay --launch 0 --schedule reorder --reorder config vadd >text
