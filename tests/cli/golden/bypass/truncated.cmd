warpline bypass --by site truncated
