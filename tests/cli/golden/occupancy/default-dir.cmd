cp -r vadd warpline.data; warpline occupancy | tail -n 8; warpline occupancy --kernel nosuch; echo "exit $?"
