warpline report --annotate=x vadd
