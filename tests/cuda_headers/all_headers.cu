// SPDX-License-Identifier: Apache-2.0
// Every header of cuda/include for CUDA C++, with libstdc++'s before and after, and each family of what
// they declare used once, on both sides.
#include <algorithm>
#include <cmath>

#include <builtin_types.h>
#include <channel_descriptor.h>
#include <common_functions.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_bf16.h>
#include <cuda_device_runtime_api.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <cuda_texture_types.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <device_types.h>
#include <driver_types.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_timer.h>
#include <host_defines.h>
#include <math_constants.h>
#include <math_functions.h>
#include <nvrtc.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <surface_functions.h>
#include <surface_types.h>
#include <texture_indirect_functions.h>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_functions.hpp>
#include <vector_types.h>

#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cg = cooperative_groups;

__constant__ float table[4];
__device__ int counter;

template <typename T> __device__ T sums(T *p, T v)
{
	return atomicAdd(p, v) + atomicExch(p, v);
}

__global__ void __launch_bounds__(256)
	uses(int *i, unsigned *u, unsigned long long *w, float *f, double *d, __half *h,
             __nv_bfloat16 *b, float4 *v)
{
	extern __shared__ float dynamic[];
	__shared__ int fixed[32];
	int at = blockIdx.x * blockDim.x + threadIdx.x;
	cg::thread_block group = cg::this_thread_block();
	cg::thread_block_tile<16> tile = cg::tiled_partition<16>(group);
	cg::coalesced_group active = cg::coalesced_threads();
	cg::thread_group any = group;

	fixed[at & 31] = sums(i, at) + atomicSub(i, 1) + atomicMin(i, 2) + atomicMax(i, 3) +
	                 atomicAnd(i, 4) + atomicOr(i, 5) + atomicXor(i, 6) + atomicCAS(i, 7, 8);
	u[at] = sums(u, 1u) + atomicInc(u, 7u) + atomicDec(u, 7u) + atomicAdd_block(u, 1u) +
	        atomicMax_system(u, 2u);
	w[at] = sums(w, 1ull) + atomicCAS(w, 1ull, 2ull) + atomicMax(w, 3ull) + clock64();
	dynamic[threadIdx.x] = sums(f, 1.0f) + (float)sums(d, 1.0);
	__syncthreads();
	i[at] = fixed[0] + __syncthreads_count(at) + __syncthreads_and(at) + __syncthreads_or(at);
	i[at] += __shfl_sync(~0u, at, 0) + __shfl_up_sync(~0u, at, 1u) +
	         __shfl_down_sync(~0u, at, 1u) + __shfl_xor_sync(~0u, at, 1) +
	         __any_sync(~0u, at) + __all_sync(~0u, at) + (int)__ballot_sync(~0u, at) +
	         (int)__activemask() + (int)__match_any_sync(~0u, at) +
	         __reduce_add_sync(~0u, at) + min(at, 3) + max(1u, (unsigned)at);
	__syncwarp();
	f[at] = sinf(f[at]) + __expf(f[at]) + rsqrtf(f[at]) + __fdividef(f[at], 2.0f) +
	        std::sqrt(f[at]) + erf(f[at]) + fmaxf(f[at], 1.0f) + min(f[at], 2.0f) + powf(f[at], 2.0f);
	d[at] = sin(d[at]) + fma(d[at], d[at], 1.0) + max(d[at], 1.0) + CUDART_PI +
	        std::abs(d[at]) + __dadd_rn(d[at], 1.0) + __shfl_xor_sync(~0u, d[at], 2);
	f[at] += __ldg(f + at) + __ldcg(f + at) + __ldcs(f + at) + table[at & 3];
	__stcs(f + at, f[at]);
	v[at] = make_float4(f[at], 1.0f, 2.0f, 3.0f);
	h[at] = __hadd(h[at], __float2half(f[at])) * h[at + 1];
	b[at] = __float2bfloat16(__bfloat162float(b[at]) + 1.0f);
	i[at] += __popc(at) + __clz(at) + __ffs(at) + (int)__brev((unsigned)at) +
	         (int)__funnelshift_l(1u, 2u, 3u) + __dp4a(at, at, at) + __mul24(at, at) +
	         (int)__byte_perm(1u, 2u, 3u);
	i[at] += cg::reduce(tile, at, cg::plus<int>()) + tile.shfl_down(at, 1u) +
	         cg::inclusive_scan(tile, at) + (int)active.size() + (int)any.thread_rank() +
	         tile.any(at) + (int)tile.ballot(at);
	group.sync();
	if (at == 0 && atomicAdd(&counter, 1) == 0)
		printf("%d %f\n", at, (double)f[0]);
	assert(at >= 0);
	__threadfence();
	__threadfence_block();
}

int main(int argc, char **argv)
{
	std::vector<float> values(4, 1.0f);
	float *device = nullptr;
	int grid, threads;
	cudaStream_t stream;
	cudaEvent_t event;
	cudaDeviceProp facts;
	cudaFuncAttributes attributes;

	checkCudaErrors(cudaMalloc(&device, 16));
	cudaMemcpyToSymbol(table, values.data(), sizeof(table));
	cudaStreamCreate(&stream);
	cudaEventCreate(&event);
	cudaGetDeviceProperties(&facts, 0);
	cudaFuncGetAttributes(&attributes, uses);
	cudaFuncSetAttribute(uses, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
	cudaOccupancyMaxPotentialBlockSize(&grid, &threads, uses, 0, 0);
	uses<<<dim3(2, 1), 256, 1024, stream>>>(nullptr, nullptr, nullptr, device, nullptr, nullptr,
	                                        nullptr, nullptr);
	cudaMemcpyAsync(values.data(), device, 16, cudaMemcpyDeviceToHost, stream);
	std::cout << std::max(1, argc) << rsqrtf(4.0f) << max(1, 2) << (float)__half(1.5f)
		  << cudaGetErrorString(cudaGetLastError()) << std::string(argv[0]) << facts.name;
	return isnan(values[0]) + (int)sinpi(0.0) + findCudaDevice(argc, (const char **)argv);
}
