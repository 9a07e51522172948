warpline replay --set max_warps=1 --set local_bytes=32 loops
