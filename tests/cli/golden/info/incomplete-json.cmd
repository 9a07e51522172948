warpline info --json incomplete
