warpline diff vadd nothing
