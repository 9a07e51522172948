warpline replay --set scoreboard=never vadd
