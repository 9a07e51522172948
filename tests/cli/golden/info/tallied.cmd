warpline info tallied
