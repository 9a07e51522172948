warpline info ''
