warpline diff vadd vadd
