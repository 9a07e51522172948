warpline report reused
