warpline bypass
