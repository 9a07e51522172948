warpline replay --schedule reorder --reorder none vadd
