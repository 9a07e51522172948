warpline replay --json - sides
