warpline bypass --by site incomplete
