warpline replay --set l1_sets=9 --l1-sets 48 --line 64 --l1-ways=3 --index modulo --latency off vadd | grep -E "each with|hits|misses"
