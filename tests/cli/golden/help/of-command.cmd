warpline help replay
