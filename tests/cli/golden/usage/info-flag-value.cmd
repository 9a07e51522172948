warpline info --json=x vadd
