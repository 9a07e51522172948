OPENCL_LAYERS=/a.so LD_PRELOAD= warpline record -o out sh -c "echo \$WARPLINE_DIR \$OPENCL_LAYERS \$LD_PRELOAD"
