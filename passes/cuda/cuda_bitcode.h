/* cuda_bitcode - cuda_library.cl as bitcode for spir64, made when Warpline is built. */
#ifndef CUDA_BITCODE_H
#define CUDA_BITCODE_H

#include <stddef.h>

extern const unsigned char cuda_bitcode_64[];
extern const size_t cuda_bitcode_64_bytes;

#endif
