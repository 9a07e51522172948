warpline record --help
