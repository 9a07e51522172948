WARPLINE_KERNELS=bfs warpline record -o out make_recordings --here vadd
