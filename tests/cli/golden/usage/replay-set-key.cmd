warpline replay --set l1_wayz=2 vadd
