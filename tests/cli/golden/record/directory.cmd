warpline record /tmp
