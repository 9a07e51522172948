warpline bypass --help
