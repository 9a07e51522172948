warpline replay --set sm_count=1 --set l1_ways=1 vadd | sed -n 1,2p; exit ${PIPESTATUS[0]}
