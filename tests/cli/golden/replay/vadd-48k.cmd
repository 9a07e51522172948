warpline replay --l1 48k --launch 1 vadd | sed -n 1,12p; exit ${PIPESTATUS[0]}
