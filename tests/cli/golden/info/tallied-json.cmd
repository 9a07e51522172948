warpline info --json tallied
