/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_device.cuh - what device code may call, gathered in the order that clang's own CUDA
 * headers (they come with clang, and need no toolkit) ask for. For clang -x cuda only, host side
 * and device side alike: both see the same declarations.
 *
 * Mathematics ends in calls of __nv_*, the names of CUDA's device library, which stay declarations.
 */
#ifndef WARPLINE_CUDA_DEVICE_CUH
#define WARPLINE_CUDA_DEVICE_CUH

/* clang-format off */
/* Device declarations come before <cmath>: constexpr functions there would be for both sides. */
#include <__clang_cuda_math_forward_declares.h>
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../vector_functions.h"

#include "cuda_quiet_begin.h"
#include <__clang_cuda_builtin_vars.h>

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
/* clang-format on */

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line,
                             const char *function, size_t character_bytes);
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function)
{
	__assertfail(message, file, line, function, sizeof(char));
}
}

namespace std
{
__device__ static inline void free(void *memory)
{
	::free(memory);
}
__device__ static inline void *malloc(size_t bytes)
{
	return ::malloc(bytes);
}
} // namespace std

#define WARPLINE_INDEX_AS(variable)                                                                \
	__device__ inline __cuda_builtin_##variable##_t::operator dim3() const                     \
	{                                                                                          \
		return dim3(x, y, z);                                                              \
	}                                                                                          \
	__device__ inline __cuda_builtin_##variable##_t::operator uint3() const                    \
	{                                                                                          \
		return make_uint3(x, y, z);                                                        \
	}
WARPLINE_INDEX_AS(threadIdx)
WARPLINE_INDEX_AS(blockIdx)
WARPLINE_INDEX_AS(blockDim)
WARPLINE_INDEX_AS(gridDim)
#undef WARPLINE_INDEX_AS

#include <__clang_cuda_cmath.h>

#include "cuda_bits.cuh" /* whose address spaces clang's intrinsics use */

/* clang writes funnel shifts as inline assembly; ours, in cuda_bits.cuh, are plain code. Its reductions
 * lack the sum of int, and swap mask and value; ours are in cuda_warps.cuh. */
#define __funnelshift_l   warpline_clang_funnelshift_l
#define __funnelshift_lc  warpline_clang_funnelshift_lc
#define __funnelshift_r   warpline_clang_funnelshift_r
#define __funnelshift_rc  warpline_clang_funnelshift_rc
#define __reduce_add_sync warpline_clang_reduce_add_sync
#define __reduce_min_sync warpline_clang_reduce_min_sync
#define __reduce_max_sync warpline_clang_reduce_max_sync
#define __reduce_and_sync warpline_clang_reduce_and_sync
#define __reduce_or_sync  warpline_clang_reduce_or_sync
#define __reduce_xor_sync warpline_clang_reduce_xor_sync
#include <__clang_cuda_intrinsics.h>
#undef __funnelshift_l
#undef __funnelshift_lc
#undef __funnelshift_r
#undef __funnelshift_rc
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#include <__clang_cuda_complex_builtins.h>

#include "cuda_atomics.cuh"
#include "cuda_cached.cuh"
#include "cuda_float_math.cuh"
#include "cuda_more_math.cuh"
#include "cuda_textures.cuh"
#include "cuda_warps.cuh"

#include "cuda_quiet_end.h"

#include <assert.h>

extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                                void *stream = 0);

#endif
