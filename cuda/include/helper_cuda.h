/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helper_cuda.h - the macros and functions that programs written after CUDA's samples use to check
 * errors and to choose a device. C++ only.
 */
#ifndef WARPLINE_HELPER_CUDA_H
#define WARPLINE_HELPER_CUDA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"
#include "helper_string.h"

#ifdef __cplusplus
static inline void warpline_check(cudaError_t error, const char *call, const char *file, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s:%d: %s: %s: %s\n", file, line, call, cudaGetErrorName(error),
	        cudaGetErrorString(error));
	exit(EXIT_FAILURE);
}

#define checkCudaErrors(call)   warpline_check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(words) warpline_check(cudaGetLastError(), (words), __FILE__, __LINE__)

template <typename T> static inline T MAX(T a, T b)
{
	return a > b ? a : b;
}

static inline int gpuGetMaxGflopsDeviceId()
{
	return 0;
}

/* Device 0, or the one that -device=N names. */
static inline int findCudaDevice(int argc, const char **argv)
{
	int device = 0;

	if (checkCmdLineFlag(argc, argv, "device"))
		device = getCmdLineArgumentInt(argc, argv, "device");
	checkCudaErrors(cudaSetDevice(device));
	return device;
}
#endif

#endif
