warpline info vadd
