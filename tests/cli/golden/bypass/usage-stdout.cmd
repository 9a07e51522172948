warpline bypass --source --json - streaming
