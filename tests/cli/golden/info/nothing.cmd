warpline info nowhere
