warpline replay --l1 32k vadd
