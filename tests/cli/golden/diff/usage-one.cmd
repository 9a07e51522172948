warpline diff vadd
