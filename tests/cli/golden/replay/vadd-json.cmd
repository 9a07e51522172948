warpline replay --json - --launch 0 --set sm_count=2 vadd
