warpline env --help
