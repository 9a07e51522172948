warpline replay
