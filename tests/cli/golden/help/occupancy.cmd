warpline help occupancy
