warpline occupancy --group-size 0; echo "exit $?"; warpline occupancy; echo "exit $?"; warpline replay --read-only site:0 --gpu v100 vadd; echo "exit $?"
