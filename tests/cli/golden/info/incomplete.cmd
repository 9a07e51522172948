warpline info incomplete
