warpline replay tallied
