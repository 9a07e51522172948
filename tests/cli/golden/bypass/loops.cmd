warpline bypass --by buffer loops
