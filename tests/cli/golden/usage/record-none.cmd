warpline record
