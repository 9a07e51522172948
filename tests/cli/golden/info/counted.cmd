warpline info counted
