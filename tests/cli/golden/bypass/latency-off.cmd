warpline bypass --latency off --by site --set l1_index=modulo --set l1_sets=1 --set l1_ways=4 strided | sed -n '1,4p'
