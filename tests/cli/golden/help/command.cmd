warpline help
