warpline diff vadd strided
