// SPDX-License-Identifier: Apache-2.0
// What a compiler that knows no CUDA takes of the headers; as C++ of 1998 to 2020.
#include <cuda_runtime.h>

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <helper_cuda.h>
#include <nvrtc.h>

#include <cmath>
#include <vector>

int main()
{
	float *memory;
	cudaDeviceProp facts;
	dim3 grid(2, 3);
	float4 v = make_float4(1, 2, 3, 4);
	__half h = __float2half(v.x);

	cudaMalloc(&memory, 16);
	cudaGetDeviceProperties(&facts, 0);
	return (int)grid.z + (int)__half2float(h) + facts.warpSize;
}
