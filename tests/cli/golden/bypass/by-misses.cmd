warpline bypass --by site --objective misses --set l1_index=modulo --set l1_sets=1 --set l1_ways=4 streaming
