warpline info --json vadd
