warpline import --help
