warpline bypass --set l1_index=modulo --set l1_sets=1 --set l1_ways=4 --by address --top 4 varied
