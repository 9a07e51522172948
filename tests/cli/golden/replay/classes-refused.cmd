warpline replay loops --classes none; warpline replay loops --classes off --stats lines
