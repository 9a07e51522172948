for v in WARPLINE_MAX_BYTE WARPLINE_XYZZY WARPLINE_GPUS; do env $v=1 warpline env -o rec | grep DIR; done
