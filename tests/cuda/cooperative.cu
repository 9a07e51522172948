// Cooperative groups: the thread's group, tiles of 32 and of 8 of it, parts of tiles.
#include "corpus.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { N = 128, GROUP = 64 };

__global__ void tiles(const int *in, int *sums, int *ranks)
{
	__shared__ int seen[GROUP];
	cg::thread_block group = cg::this_thread_block();
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(group);
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int value = in[i]; // @1

	seen[group.thread_rank()] = value;
	group.sync(); // @2
	value += seen[GROUP - 1 - group.thread_rank()];
	for (int offset = warp.size() / 2; offset > 0; offset /= 2)
		value += warp.shfl_down(value, offset);
	warp.sync();
	if (warp.thread_rank() == 0)
		sums[i / 32] = value; // @3
	ranks[i] = 100 * warp.meta_group_rank() + warp.thread_rank(); // @4
}

__global__ void small_tiles(const int *in, int *out, unsigned *ballots)
{
	cg::thread_block group = cg::this_thread_block();
	cg::thread_block_tile<8> tile = cg::tiled_partition<8>(group);
	int i = group.group_index().x * group.size() + group.thread_rank();
	int value = in[i]; // @5

	for (int bit = 1; bit < 8; bit *= 2)
		value += tile.shfl_xor(value, bit);
	out[i] = value + (tile.any(value > 1000) ? 10000 : 0) + tile.shfl(value, 3); // @6
	ballots[i] = tile.ballot(value & 1);                                        // @7
}

// Sizes and ranks in the part of a tile with the same predicate, and in the part of it with the same label.
__global__ void parts(const int *in, int *places)
{
	cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int value = in[i]; // @8
	cg::coalesced_group side = cg::binary_partition(tile, value % 4 == 0);
	cg::coalesced_group label = cg::labeled_partition(side, value % 5);

	places[2 * i] = 100 * side.size() + side.thread_rank();       // @9
	places[2 * i + 1] = 100 * label.size() + label.thread_rank(); // @10
}

static void check_parts(const int *in, const int *places)
{
	for (int i = 0; i < N; i++) {
		int side = 0, label = 0;

		for (int k = i / 16 * 16; k < i / 16 * 16 + 16; k++) {
			bool is_side = (in[k] % 4 == 0) == (in[i] % 4 == 0);

			side += is_side * (k < i ? 101 : 100);
			label += (is_side && in[k] % 5 == in[i] % 5) * (k < i ? 101 : 100);
		}
		same("side", i, places[2 * i], side);
		same("label", i, places[2 * i + 1], label);
	}
}

int main()
{
	int in[N], sums[N / 32], ranks[N], out[N];
	unsigned ballots[N];
	int places[2 * N];

	for (int i = 0; i < N; i++)
		in[i] = i * 3 + 1;
	int *a = device_array("in", N, in), *b = device_array<int>("sums", N / 32);
	int *c = device_array<int>("ranks", N), *d = device_array<int>("out", N);
	unsigned *e = device_array<unsigned>("ballots", N);
	tiles<<<N / GROUP, GROUP>>>(a, b, c);
	small_tiles<<<N / GROUP, GROUP>>>(a, d, e);
	int *f = device_array<int>("places", 2 * N);
	parts<<<N / GROUP, GROUP>>>(a, f);
	finish();
	fetch(places, f, 2 * N);
	check_parts(in, places);
	fetch(sums, b, N / 32);
	fetch(ranks, c, N);
	fetch(out, d, N);
	fetch(ballots, e, N);
	for (int w = 0; w < N / 32; w++) {
		int sum = 0;

		for (int i = 32 * w; i < 32 * w + 32; i++)
			sum += in[i] + in[i / GROUP * GROUP + GROUP - 1 - i % GROUP];
		same("sums", w, sums[w], sum);
	}
	for (int i = 0; i < N; i++) {
		int sum = 0;

		for (int k = i / 8 * 8; k < i / 8 * 8 + 8; k++)
			sum += in[k];
		same("ranks", i, ranks[i], 100 * (i % GROUP / 32) + i % 32);
		same("out", i, out[i], 2 * sum + (sum > 1000 ? 10000 : 0));
		same("ballots", i, ballots[i], sum & 1 ? 0xffu : 0u);
	}
	return verdict();
}
