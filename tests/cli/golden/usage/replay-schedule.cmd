warpline replay --schedule greedy vadd
