/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_group_reduce.cuh - reduce() and scans over a group inside a warp, by shuffles.
 * Included by cooperative_groups/reduce.h.
 */
#ifndef WARPLINE_CUDA_GROUP_REDUCE_CUH
#define WARPLINE_CUDA_GROUP_REDUCE_CUH

namespace cooperative_groups
{
#define WARPLINE_OPERATOR(name, expression)                                                        \
	template <typename T = void> struct name {                                                 \
		__device__ T operator()(T a, T b) const                                            \
		{                                                                                  \
			return expression;                                                         \
		}                                                                                  \
	};                                                                                         \
	template <> struct name<void> {                                                            \
		template <typename T> __device__ T operator()(T a, T b) const                      \
		{                                                                                  \
			return expression;                                                         \
		}                                                                                  \
	};
WARPLINE_OPERATOR(plus, a + b)
WARPLINE_OPERATOR(less, b < a ? b : a)
WARPLINE_OPERATOR(greater, a < b ? b : a)
WARPLINE_OPERATOR(bit_and, a &b)
WARPLINE_OPERATOR(bit_or, a | b)
WARPLINE_OPERATOR(bit_xor, a ^ b)
#undef WARPLINE_OPERATOR

/* Every thread gets the result over all of them. */
template <unsigned int Size, typename Parent, typename T, typename F>
static __device__ __forceinline__ T reduce(const thread_block_tile<Size, Parent> &group, T value,
                                           F combine)
{
#pragma unroll
	for (unsigned int step = Size / 2; step > 0; step /= 2)
		value = combine(value, group.shfl_xor(value, (int)step));
	return value;
}

template <typename T, typename F>
static __device__ __forceinline__ T reduce(const coalesced_group &group, T value, F combine)
{
	T result = group.shfl(value, 0);

	for (unsigned int rank = 1; rank < group.size(); rank++)
		result = combine(result, group.shfl(value, (int)rank));
	return result;
}

/* The result over the threads up to this one. */
template <typename G, typename T, typename F>
static __device__ __forceinline__ T inclusive_scan(const G &group, T value, F combine)
{
	for (unsigned int step = 1; step < group.size(); step *= 2) {
		T before = group.shfl_up(value, step);
		if (group.thread_rank() >= step)
			value = combine(before, value);
	}
	return value;
}

template <typename G, typename T>
static __device__ __forceinline__ T inclusive_scan(const G &group, T value)
{
	return inclusive_scan(group, value, plus<T>());
}

/* The result over the threads before this one; T() for the first. */
template <typename G, typename T, typename F>
static __device__ __forceinline__ T exclusive_scan(const G &group, T value, F combine)
{
	T before = group.shfl_up(inclusive_scan(group, value, combine), 1);

	return group.thread_rank() ? before : T();
}

template <typename G, typename T>
static __device__ __forceinline__ T exclusive_scan(const G &group, T value)
{
	return exclusive_scan(group, value, plus<T>());
}
} // namespace cooperative_groups

#endif
