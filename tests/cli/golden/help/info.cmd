warpline info --help
