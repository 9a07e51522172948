warpline bypass kernels | head -3
