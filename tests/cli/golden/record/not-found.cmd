warpline record ./no-such-program
