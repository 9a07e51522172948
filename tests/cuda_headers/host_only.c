/* SPDX-License-Identifier: Apache-2.0 */
/* What a compiler of C takes of the headers. */
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <nvrtc.h>
#include <vector_types.h>

int main(void)
{
	void *memory;
	CUdeviceptr address;
	struct cudaDeviceProp facts;
	struct dim3 grid = { 1, 1, 1 };
	float4 v = make_float4(1, 2, 3, 4);

	/* The sizes that programs compiled against CUDA 12 have. */
	_Static_assert(sizeof(struct cudaDeviceProp) == 1032, "cudaDeviceProp");
	_Static_assert(sizeof(struct cudaFuncAttributes) == 144, "cudaFuncAttributes");
	_Static_assert(sizeof(struct cudaPointerAttributes) == 24, "cudaPointerAttributes");
	_Static_assert(sizeof(cudaLaunchConfig_t) == 56, "cudaLaunchConfig_t");
	_Static_assert(sizeof(cudaLaunchAttribute) == 72, "cudaLaunchAttribute");
	_Static_assert(sizeof(struct cudaTextureDesc) == 72, "cudaTextureDesc");
	_Static_assert(sizeof(struct cudaResourceDesc) == 64, "cudaResourceDesc");
	_Static_assert(sizeof(struct cudaMemcpy3DParms) == 160, "cudaMemcpy3DParms");
	_Static_assert(sizeof(struct cudaMemPoolProps) == 88, "cudaMemPoolProps");
	_Static_assert(sizeof(CUDA_MEMCPY2D) == 128, "CUDA_MEMCPY2D");
	_Static_assert(_Alignof(float4) == 16 && _Alignof(char2) == 2 && _Alignof(int2) == 8 &&
	                       _Alignof(double2) == 16 && sizeof(float3) == 12,
	               "vectors");
	cudaMalloc(&memory, 16);
	cuMemAlloc(&address, 16);
	cudaGetDeviceProperties(&facts, 0);
	return (int)grid.x + (int)v.x;
}
