warpline occupancy --group-size 2000 --l1 48k --json -
