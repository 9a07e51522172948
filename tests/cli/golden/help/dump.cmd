warpline dump --help
