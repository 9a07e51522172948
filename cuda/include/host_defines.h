/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_defines.h - the words that CUDA adds to C++, as clang's attributes; nothing to any other
 * compiler, which sees host code only. Assumes nothing.
 */
#ifndef WARPLINE_HOST_DEFINES_H
#define WARPLINE_HOST_DEFINES_H

#ifndef CUDART_VERSION
#define CUDART_VERSION 12000
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION 12000
#endif
#define WARPLINE_CUDA_HEADERS 1 /* these are not the toolkit's */

#if defined(__CUDA__) && defined(__clang__)
#define WARPLINE_CUDA_COMPILER 1
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
#define __NVCC__ 1
#endif

#define __host__               __attribute__((host))
#define __device__             __attribute__((device))
#define __global__             __attribute__((global))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __grid_constant__
/* Its variable would have to be one for host and device at once, which clang has for HIP only. */
/* clang-format off */
#define __managed__ _Pragma("GCC error \"__managed__ variables are not supported by these headers: use cudaMallocManaged and pass the pointer\"") __attribute__((device))
/* clang-format on */
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
/* Nothing: libstdc++ writes __attribute__((__noinline__)), and device code is inlined anyway. */
#define __noinline__
#define __align__(n)         __attribute__((aligned(n)))
#define __no_return__        __attribute__((noreturn))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

#endif
