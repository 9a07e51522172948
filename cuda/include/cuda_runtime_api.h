/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_runtime_api.h - the calls of CUDA's runtime library, for C and C++. A call that the library
 * behind it does not do returns cudaErrorNotSupported.
 */
#ifndef WARPLINE_CUDA_RUNTIME_API_H
#define WARPLINE_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__ /* programs look for it */

#include "driver_types.h"

#ifdef __cplusplus
#define WARPLINE_OR(value) = value /* what an argument is when it is not given */
extern "C" {
#else
#define WARPLINE_OR(value)
#endif

#define cudaGetDeviceProperties cudaGetDeviceProperties_v2

#define CUDA_CALL(name, ...) extern cudaError_t name(__VA_ARGS__);
#include "warpline/cuda_runtime_calls.def"
#include "warpline/cuda_runtime_calls_rare.def"
#undef CUDA_CALL

extern const char *cudaGetErrorName(cudaError_t error);
extern const char *cudaGetErrorString(cudaError_t error);
extern struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          enum cudaChannelFormatKind f);

#ifdef __cplusplus
}
#endif

static __inline__ struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
	struct cudaExtent e;
	e.width = w;
	e.height = h;
	e.depth = d;
	return e;
}

static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
	struct cudaPos p;
	p.x = x;
	p.y = y;
	p.z = z;
	return p;
}

static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz,
                                                            size_t ysz)
{
	struct cudaPitchedPtr s;
	s.ptr = d;
	s.pitch = p;
	s.xsize = xsz;
	s.ysize = ysz;
	return s;
}

#endif
