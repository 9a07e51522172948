warpline report --set sm_count=1 incomplete; echo $?; warpline report --set sm_count=1 counted; warpline report --set sm_count=1 tallied; warpline report --set sm_count=1 truncated
