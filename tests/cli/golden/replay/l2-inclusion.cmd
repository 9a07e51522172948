for i in non_inclusive inclusive exclusive; do warpline replay --l2 on --set l2_inclusion=$i atomics | grep -E "stays|leaves|holds|atomics|victims|invalid|bytes (from|to) DRAM"; done
