warpline dump vadd >/dev/full
