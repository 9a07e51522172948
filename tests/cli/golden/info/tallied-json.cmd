warpline info --json - tallied
