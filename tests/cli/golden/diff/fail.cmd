warpline diff vadd strided --fail-above 10
