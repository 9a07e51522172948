warpline info --json - vadd
