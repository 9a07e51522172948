eval "$(OPENCL_LAYERS=/a.so warpline env -o "it's \$HOME %n" --kernel "a'b|c d" --max-bytes 10m --count)" && env | grep -E "^(WARPLINE_|OPENCL_LAYERS|LD_PRELOAD)" | sort
