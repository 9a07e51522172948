warpline bypass a b
