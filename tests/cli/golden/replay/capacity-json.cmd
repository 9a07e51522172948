warpline replay --json - --set l1_index=modulo --set l1_sets=1 --set l1_ways=1 --set sm_count=1 loops | sed -n '/"sites"/,/^    }/p'
