warpline info --json counted
