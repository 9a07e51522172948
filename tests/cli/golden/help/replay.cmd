warpline replay --help
