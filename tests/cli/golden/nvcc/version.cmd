warpline nvcc --version; warpline nvcc -V | sed -n 2p
