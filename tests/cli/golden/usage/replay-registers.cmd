warpline replay --registers 70000 vadd
