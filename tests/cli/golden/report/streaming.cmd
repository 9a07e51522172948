warpline report --top 2 --l1-sets 1 --l1-ways 4 streaming
