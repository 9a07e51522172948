warpline replay --json - --set sm_count=1 tallied
