warpline gpus --help
