warpline info limited
