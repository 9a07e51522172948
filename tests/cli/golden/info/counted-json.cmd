warpline info --json - counted
