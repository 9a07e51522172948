warpline help dunp
