warpline bypass --by site --launch 0 counted
