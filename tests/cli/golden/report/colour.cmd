warpline report --annotate --top 1 --colour always strided | grep -a "data\[32" | cat -v
