echo -num_pcs x >config; warpline replay --schedule reorder --reorder config vadd
