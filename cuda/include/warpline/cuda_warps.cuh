/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_warps.cuh - what clang's headers lack of the functions of a warp: reductions, votes
 * and shuffles. Included by cuda_device.cuh.
 */
#ifndef WARPLINE_CUDA_WARPS_CUH
#define WARPLINE_CUDA_WARPS_CUH

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WARPLINE_REDUX(name, type, builtin)                                                        \
	static __device__ __forceinline__ type name(unsigned int mask, type value)                 \
	{                                                                                          \
		return (type)builtin((int)value, (int)mask);                                       \
	}
WARPLINE_REDUX(__reduce_add_sync, int, __nvvm_redux_sync_add)
WARPLINE_REDUX(__reduce_add_sync, unsigned int, __nvvm_redux_sync_add)
WARPLINE_REDUX(__reduce_min_sync, int, __nvvm_redux_sync_min)
WARPLINE_REDUX(__reduce_min_sync, unsigned int, __nvvm_redux_sync_umin)
WARPLINE_REDUX(__reduce_max_sync, int, __nvvm_redux_sync_max)
WARPLINE_REDUX(__reduce_max_sync, unsigned int, __nvvm_redux_sync_umax)
WARPLINE_REDUX(__reduce_and_sync, unsigned int, __nvvm_redux_sync_and)
WARPLINE_REDUX(__reduce_or_sync, unsigned int, __nvvm_redux_sync_or)
WARPLINE_REDUX(__reduce_xor_sync, unsigned int, __nvvm_redux_sync_xor)
#undef WARPLINE_REDUX
#endif

#endif
