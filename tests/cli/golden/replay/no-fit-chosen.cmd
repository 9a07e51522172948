warpline replay --launch 0 --set local_bytes=32 loops
