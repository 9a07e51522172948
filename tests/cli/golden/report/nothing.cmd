warpline report --set sm_count=1 reused
