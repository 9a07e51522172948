warpline bypass nowhere
