warpline nvcc --dryrun -O3 -arch=sm_70 -std=c++14 -Iinclude -DN=3 -Xcompiler -Wall,-fopenmp --use_fast_math -fmad=false -lineinfo -o app main.cu part.c -lm -lcuda
