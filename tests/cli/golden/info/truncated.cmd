warpline info truncated
