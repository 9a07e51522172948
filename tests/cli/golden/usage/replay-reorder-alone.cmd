warpline replay --reorder x vadd
