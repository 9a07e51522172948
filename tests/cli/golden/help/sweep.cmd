warpline sweep --help
