warpline occupancy vadd --group-size 64
