warpline report --annotate --top 1 streaming
