/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_tiles.cuh - groups inside a warp: tiles of 1 to 32 threads, and the threads that
 * are active together. Included by cooperative_groups.h.
 */
#ifndef WARPLINE_CUDA_TILES_CUH
#define WARPLINE_CUDA_TILES_CUH

namespace cooperative_groups
{
namespace warpline
{
static __device__ __forceinline__ unsigned int lane()
{
	return thread_rank() & 31u;
}

/* A value of any trivially copied type moves through a warp in words of 32 bits. */
template <typename T, typename F> static __device__ __forceinline__ T by_words(T value, F move)
{
	unsigned int words[(sizeof(T) + 3) / 4] = { 0 };
	T result;

	__builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
	for (unsigned int i = 0; i < sizeof(words) / 4; i++)
		words[i] = move(words[i]);
	__builtin_memcpy(&result, words, sizeof(T));
	return result;
}
} // namespace warpline

/* The threads of `members_` in a warp, ranked by lane. */
class coalesced_group
{
	unsigned int members_;

	/* The lane of the member of that rank. */
	__device__ unsigned int lane_of(unsigned int rank) const
	{
		return __fns(members_, 0, (int)rank + 1);
	}

      public:
	__device__ explicit coalesced_group(unsigned int members) : members_(members)
	{
	}
	__device__ unsigned int mask() const
	{
		return members_;
	}
	__device__ void sync() const
	{
		__syncwarp(members_);
	}
	__device__ unsigned int thread_rank() const
	{
		return (unsigned int)__popc((int)(members_ & ((1u << warpline::lane()) - 1)));
	}
	__device__ unsigned int size() const
	{
		return (unsigned int)__popc((int)members_);
	}
	__device__ unsigned int num_threads() const
	{
		return size();
	}
	template <typename T> __device__ T shfl(T value, int rank) const
	{
		unsigned int members = members_, from = lane_of((unsigned int)rank % size());
		return warpline::by_words(value, [=](unsigned int word) {
			return __shfl_sync(members, word, (int)from);
		});
	}
	template <typename T> __device__ T shfl_up(T value, unsigned int delta) const
	{
		unsigned int rank = thread_rank();
		return shfl(value, (int)(rank < delta ? rank : rank - delta));
	}
	template <typename T> __device__ T shfl_down(T value, unsigned int delta) const
	{
		unsigned int rank = thread_rank();
		return shfl(value, (int)(rank + delta < size() ? rank + delta : rank));
	}
	__device__ int any(int predicate) const
	{
		return __any_sync(members_, predicate);
	}
	__device__ int all(int predicate) const
	{
		return __all_sync(members_, predicate);
	}
	/* Bit r: the predicate of the member of rank r. */
	__device__ unsigned int ballot(int predicate) const
	{
		unsigned int lanes = __ballot_sync(members_, predicate), ranks = 0, rank = 0;
		for (unsigned int left = members_; left; left &= left - 1, rank++)
			ranks |= (lanes & left & (0u - left) ? 1u : 0u) << rank;
		return ranks;
	}
};

static __device__ __forceinline__ coalesced_group coalesced_threads()
{
	return coalesced_group(__activemask());
}

/* `Size` threads of a warp side by side; a power of two up to 32. */
template <unsigned int Size, typename Parent = void> class thread_block_tile
{
	static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
	              "a tile has 1, 2, 4, 8, 16 or 32 threads here");

      public:
	__device__ thread_block_tile()
	{
	}
	template <typename Other>
	__device__ thread_block_tile(const thread_block_tile<Size, Other> &)
	{
	}
	static __device__ unsigned int mask()
	{
		return (Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1)
		       << (warpline::lane() & ~(Size - 1));
	}
	static __device__ void sync()
	{
		__syncwarp(mask());
	}
	static __device__ unsigned int thread_rank()
	{
		return warpline::lane() & (Size - 1);
	}
	static constexpr __device__ unsigned int size()
	{
		return Size;
	}
	static constexpr __device__ unsigned int num_threads()
	{
		return Size;
	}
	static __device__ unsigned int meta_group_rank()
	{
		return warpline::thread_rank() / Size;
	}
	static __device__ unsigned int meta_group_size()
	{
		return (thread_block::size() + Size - 1) / Size;
	}

#define WARPLINE_TILE_SHUFFLE(name, other_type)                                                    \
	template <typename T> __device__ T name(T value, other_type other) const                   \
	{                                                                                          \
		unsigned int members = mask();                                                     \
		return warpline::by_words(value, [=](unsigned int word) {                          \
			return __##name##_sync(members, word, other, (int)Size);                   \
		});                                                                                \
	}
	WARPLINE_TILE_SHUFFLE(shfl, int)
	WARPLINE_TILE_SHUFFLE(shfl_up, unsigned int)
	WARPLINE_TILE_SHUFFLE(shfl_down, unsigned int)
	WARPLINE_TILE_SHUFFLE(shfl_xor, int)
#undef WARPLINE_TILE_SHUFFLE

	__device__ int any(int predicate) const
	{
		return __any_sync(mask(), predicate);
	}
	__device__ int all(int predicate) const
	{
		return __all_sync(mask(), predicate);
	}
	__device__ unsigned int ballot(int predicate) const
	{
		return (__ballot_sync(mask(), predicate) & mask()) >>
		       (warpline::lane() & ~(Size - 1));
	}
	template <typename T> __device__ unsigned int match_any(T value) const
	{
		return (__match_any_sync(mask(), value) & mask()) >>
		       (warpline::lane() & ~(Size - 1));
	}
	template <typename T> __device__ unsigned int match_all(T value, int &same) const
	{
		return (__match_all_sync(mask(), value, &same) & mask()) >>
		       (warpline::lane() & ~(Size - 1));
	}
};

template <unsigned int Size, typename Parent>
static __device__ __forceinline__ thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
	return thread_block_tile<Size, Parent>();
}

/* A group of any kind whose size is known when the kernel runs: it waits and ranks, no more. */
class thread_group
{
	unsigned int members_; /* lanes of the warp; 0: all threads of the work-group */

      public:
	__device__ thread_group(const thread_block &) : members_(0)
	{
	}
	__device__ thread_group(const coalesced_group &group) : members_(group.mask())
	{
	}
	template <unsigned int Size, typename Parent>
	__device__ thread_group(const thread_block_tile<Size, Parent> &group)
	    : members_(group.mask())
	{
	}
	__device__ unsigned int mask() const
	{
		return members_;
	}
	__device__ void sync() const
	{
		if (members_)
			__syncwarp(members_);
		else
			__syncthreads();
	}
	__device__ unsigned int size() const
	{
		return members_ ? (unsigned int)__popc((int)members_) : thread_block::size();
	}
	__device__ unsigned int num_threads() const
	{
		return size();
	}
	__device__ unsigned int thread_rank() const
	{
		return members_ ? coalesced_group(members_).thread_rank() : warpline::thread_rank();
	}
};

static __device__ __forceinline__ thread_group tiled_partition(const thread_group &group,
                                                               unsigned int size)
{
	unsigned int ones = size >= 32 ? 0xffffffffu : (1u << size) - 1;
	unsigned int lanes = group.mask() ? group.mask() : __activemask();

	return coalesced_group(lanes & (ones << (warpline::lane() & ~(size - 1))));
}

static __device__ __forceinline__ coalesced_group tiled_partition(const coalesced_group &group,
                                                                  unsigned int size)
{
	unsigned int ones = size >= 32 ? 0xffffffffu : (1u << size) - 1;

	return coalesced_group(group.mask() & (ones << (warpline::lane() & ~(size - 1))));
}

/* The members of a tile, or of a part of a warp, whose predicate is the caller's. */
template <typename G>
static __device__ __forceinline__ coalesced_group binary_partition(const G &group, bool predicate)
{
	unsigned int lanes = __ballot_sync(group.mask(), predicate);

	return coalesced_group(group.mask() & (predicate ? lanes : ~lanes));
}

/* Those whose label, an integer, is the caller's. */
template <typename G, typename T>
static __device__ __forceinline__ coalesced_group labeled_partition(const G &group, T label)
{
	return coalesced_group(group.mask() & __match_any_sync(group.mask(), label));
}
} // namespace cooperative_groups

#endif
