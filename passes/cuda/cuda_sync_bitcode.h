/*
 * cuda_sync_bitcode - cuda_sync.cl as LLVM bitcode for spir64, made by the build.
 */
#ifndef CUDA_SYNC_BITCODE_H
#define CUDA_SYNC_BITCODE_H

#include <stddef.h>

extern const unsigned char cuda_sync_bitcode[];
extern const size_t cuda_sync_bitcode_bytes;

#endif
