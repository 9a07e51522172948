/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_cached.cuh - loads and stores with a cache operator: __ldcg(p), __stcs(p, v)... The
 * operator is a wish for the GPU's caches; here they are the plain access, which is what is
 * recorded. __ldg is clang's. Included by cuda_device.cuh.
 */
#ifndef WARPLINE_CUDA_CACHED_CUH
#define WARPLINE_CUDA_CACHED_CUH

#define WARPLINE_LOAD(name)                                                                        \
	template <typename T> static __device__ __forceinline__ T name(const T *p)                 \
	{                                                                                          \
		return *p;                                                                         \
	}
#define WARPLINE_STORE(name)                                                                       \
	template <typename T> static __device__ __forceinline__ void name(T *p, T v)               \
	{                                                                                          \
		*p = v;                                                                            \
	}
WARPLINE_LOAD(__ldca)
WARPLINE_LOAD(__ldcg)
WARPLINE_LOAD(__ldcs)
WARPLINE_LOAD(__ldcv)
WARPLINE_LOAD(__ldlu)
WARPLINE_STORE(__stwb)
WARPLINE_STORE(__stcg)
WARPLINE_STORE(__stcs)
WARPLINE_STORE(__stwt)
#undef WARPLINE_LOAD
#undef WARPLINE_STORE

#endif
