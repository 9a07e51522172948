warpline bypass --by site limited
