warpline replay --json= vadd
