/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_groups.cuh - thread_block and grid_group of cooperative groups. Included by
 * cooperative_groups.h.
 */
#ifndef WARPLINE_CUDA_GROUPS_CUH
#define WARPLINE_CUDA_GROUPS_CUH

/* It is nowhere, so that a kernel that calls it is refused by name, and others run. */
extern "C" __device__ void work_groups_cannot_wait_for_each_other(void);

namespace cooperative_groups
{
namespace warpline
{
static __device__ __forceinline__ unsigned int
rank_in(unsigned int x, unsigned int y, unsigned int z, unsigned int width, unsigned int height)
{
	return (z * height + y) * width + x;
}
static __device__ __forceinline__ unsigned int thread_rank()
{
	return rank_in(threadIdx.x, threadIdx.y, threadIdx.z, blockDim.x, blockDim.y);
}
} // namespace warpline

/* All threads of a work-group; the object has no state. */
class thread_block
{
      public:
	static __device__ void sync()
	{
		__syncthreads();
	}
	static __device__ unsigned int thread_rank()
	{
		return warpline::thread_rank();
	}
	static __device__ unsigned int size()
	{
		return blockDim.x * blockDim.y * blockDim.z;
	}
	static __device__ unsigned int num_threads()
	{
		return size();
	}
	static __device__ dim3 group_index()
	{
		return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
	}
	static __device__ dim3 thread_index()
	{
		return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
	}
	static __device__ dim3 group_dim()
	{
		return dim3(blockDim.x, blockDim.y, blockDim.z);
	}
	static __device__ dim3 dim_threads()
	{
		return dim3(blockDim.x, blockDim.y, blockDim.z);
	}
};

/* All threads of a launch; they have ranks, but cannot wait for each other. */
class grid_group
{
      public:
	static __device__ bool is_valid()
	{
		return false;
	}
	static __device__ void sync()
	{
		::work_groups_cannot_wait_for_each_other();
	}
	static __device__ unsigned long long thread_rank()
	{
		return block_rank() * thread_block::size() + thread_block::thread_rank();
	}
	static __device__ unsigned long long block_rank()
	{
		return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
		       blockIdx.x;
	}
	static __device__ unsigned long long num_blocks()
	{
		return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
	}
	static __device__ unsigned long long size()
	{
		return num_blocks() * thread_block::size();
	}
	static __device__ unsigned long long num_threads()
	{
		return size();
	}
	static __device__ dim3 group_dim()
	{
		return dim3(gridDim.x, gridDim.y, gridDim.z);
	}
	static __device__ dim3 dim_blocks()
	{
		return dim3(gridDim.x, gridDim.y, gridDim.z);
	}
	static __device__ dim3 block_index()
	{
		return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
	}
};

static __device__ __forceinline__ thread_block this_thread_block()
{
	return thread_block();
}

static __device__ __forceinline__ grid_group this_grid()
{
	return grid_group();
}

/* What is asked of any group, as a function. */
template <typename G> static __device__ __forceinline__ void sync(const G &group)
{
	group.sync();
}

template <typename G>
static __device__ __forceinline__ auto thread_rank(const G &group) -> decltype(group.thread_rank())
{
	return group.thread_rank();
}

template <typename G>
static __device__ __forceinline__ auto group_size(const G &group) -> decltype(group.size())
{
	return group.size();
}
} // namespace cooperative_groups

#endif
