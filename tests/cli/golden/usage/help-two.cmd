warpline help a b
