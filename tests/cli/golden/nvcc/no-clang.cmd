touch a.cu; here=$(dirname "$(command -v warpline)"); PATH=$here warpline nvcc -c a.cu
