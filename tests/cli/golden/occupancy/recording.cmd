warpline occupancy vadd --registers 40 && warpline occupancy vadd --json - --local-bytes 20k
