LD_PRELOAD= warpline cuda-run --gpu a100 -- sh -c 'echo "$LD_LIBRARY_PATH $WARPLINE_CUDA_GPU $WARPLINE_INSTRUMENT"; exit 7'
