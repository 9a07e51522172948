warpline report --set sm_count=1 --kernel reused reused
