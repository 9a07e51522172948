warpline info
