warpline info --json - incomplete
