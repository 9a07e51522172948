warpline bypass --source --list all --json - streaming
