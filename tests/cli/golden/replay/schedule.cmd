warpline replay --schedule gto vadd | sed -n 1,4p; warpline replay --json - --schedule twolevel vadd | grep schedule; exit ${PIPESTATUS[0]}
