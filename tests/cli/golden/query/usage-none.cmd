warpline query
