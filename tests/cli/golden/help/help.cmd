warpline help --help
