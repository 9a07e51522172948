warpline bypass --by site tallied
