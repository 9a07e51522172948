/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda.h - CUDA's driver interface, as version 12 has it: what programs commonly call. C and C++.
 */
#ifndef WARPLINE_CUDA_H
#define WARPLINE_CUDA_H
#define __cuda_cuda_h__ /* programs look for it */

#include <stddef.h>
#include <stdint.h>

#include "warpline/cuda_device_prop.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION 12000
#endif
#define CUDAAPI
#define CUDA_CB

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUarray_st *CUarray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;
typedef struct CUlinkState_st *CUlinkState;
typedef unsigned long long CUtexObject;
typedef void (*CUhostFn)(void *userData);
typedef int (*CUoccupancyB2DSize)(int blockSize);

typedef enum cudaError_enum {
#define CUDA_ERROR(runtime_name, name, number, text) name = number,
#define CUDA_RUNTIME_ERROR(name, number, text)
#define CUDA_DRIVER_ERROR(name, number, text) name = number,
#include "warpline/cuda_errors.def"
} CUresult;
typedef void (*CUstreamCallback)(CUstream hStream, CUresult status, void *userData);

typedef enum CUdevice_attribute_enum {
#define CUDA_ATTRIBUTE(runtime_name, name, number, value) name = number,
#define CUDA_RUNTIME_ATTRIBUTE(name, number)
#define CUDA_DRIVER_ATTRIBUTE(name, number) name = number,
#include "warpline/cuda_attributes.def"
} CUdevice_attribute;

#define BEGIN_ENUM(name)                                                                           \
	typedef enum name##_enum                                                                   \
	{
#define CUDA_VALUE(name, number) name = number,
#define END_ENUM(name)                                                                             \
	}                                                                                          \
	name;
#include "warpline/cuda_driver_enumerations.def"
#undef BEGIN_ENUM
#undef CUDA_VALUE
#undef END_ENUM

typedef struct CUDA_MEMCPY2D_st {
	size_t srcXInBytes, srcY;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	size_t srcPitch;
	size_t dstXInBytes, dstY;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	size_t dstPitch;
	size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

/* What CUDA 13's cuCtxCreate() is given. */
typedef struct CUctxCreateParams_st {
	struct CUexecAffinityParam_st *execAffinityParams;
	int numExecAffinityParams;
	struct CUctxCigParam_st *cigParams;
} CUctxCreateParams;

#define CU_LAUNCH_PARAM_END            ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE    ((void *)0x02)
#define CU_STREAM_LEGACY               ((CUstream)0x1)
#define CU_STREAM_PER_THREAD           ((CUstream)0x2)
#define CU_MEMHOSTALLOC_PORTABLE       0x01
#define CU_MEMHOSTALLOC_DEVICEMAP      0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED  0x04
#define CU_MEM_ATTACH_GLOBAL           0x01
#define CU_MEM_ATTACH_HOST             0x02
#define CU_MEM_ATTACH_SINGLE           0x04

#include "warpline/cuda_driver_names.h"

#ifdef __cplusplus
extern "C" {
#endif
#define CUDA_CALL(name, ...) extern CUresult name(__VA_ARGS__);
#include "warpline/cuda_driver_calls.def"
#undef CUDA_CALL
#ifdef __cplusplus
}

/* The same call as CUDA 13 has it, in C++ beside that of CUDA 12. */
static inline CUresult cuCtxCreate(CUcontext *pctx, CUctxCreateParams *params, unsigned int flags,
                                   CUdevice dev)
{
	if (params && (params->numExecAffinityParams || params->cigParams))
		return CUDA_ERROR_NOT_SUPPORTED;
	return cuCtxCreate(pctx, flags, dev);
}
#endif

#endif
