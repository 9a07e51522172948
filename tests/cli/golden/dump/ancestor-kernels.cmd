warpline dump --format ancestor kernels
