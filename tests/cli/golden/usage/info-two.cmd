warpline info vadd loops
