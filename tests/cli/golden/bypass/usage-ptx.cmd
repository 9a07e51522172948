warpline bypass --ptx in.ptx streaming
