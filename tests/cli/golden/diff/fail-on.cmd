warpline diff vadd strided --fail-above 10 --fail-on conflict
