warpline --help
