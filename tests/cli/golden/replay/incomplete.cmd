warpline replay incomplete
