eval "$(warpline env --groups 3)"; eval "$(warpline env --launches 2)"; env | grep -E "^(WARPLINE_|OPENCL_LAYERS|LD_PRELOAD)" | sort
