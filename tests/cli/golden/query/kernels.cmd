warpline query kernels --of kernels --gpu v100
