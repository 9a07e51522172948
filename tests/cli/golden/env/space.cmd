mkdir "sp ace"; cp -r "$(dirname "$(command -v warpline)")"/* "sp ace"; cd "sp ace"; eval "$(./warpline env -o rec)"; env | grep -E "^(WARPLINE_|OPENCL_LAYERS|LD_PRELOAD)" | sort
