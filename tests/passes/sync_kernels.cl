/* Kernels as CUDA's are once they are in terms of OpenCL: test_syncs_on_device.c says what they do. */
#include "sync_kind.h"

ulong warpline_cuda_sync(uint kind, uint mask, ulong value, uint argument) __attribute__((convergent));
ulong warpline_cuda_group_sync(uint kind, ulong value) __attribute__((convergent));

#define FULL 0xffffffffu
#define WHOLE_WARP (31u << 16)

uint down(uint mask, uint value, uint by)
{
	return (uint)warpline_cuda_sync(SYNC_SHFL_DOWN, mask, value, by | WHOLE_WARP);
}

uint sum_of_warp(uint mask, uint value)
{
	for (uint by = 16; by > 0; by /= 2)
		value += down(mask, value, by);
	return value;
}

/* Everybody, always: no rounds are needed. */
kernel void butterfly(global uint *out, global const uint *in, uint n)
{
	uint value = in[get_global_id(0)];

	for (uint by = 1; by < 32; by *= 2)
		value += (uint)warpline_cuda_sync(SYNC_SHFL_XOR, FULL, value, by | WHOLE_WARP);
	out[get_global_id(0)] = value;
}

/* The four forms in segments of 8, and what they say of the lane. */
kernel void shuffles(global uint *out, global const uint *in, uint n)
{
	uint i = (uint)get_global_id(0), segment = 0x18u << 24;
	ulong r[4];

	r[0] = warpline_cuda_sync(SYNC_SHFL_IDX, FULL, in[i], 11 | 31u << 16 | segment);
	r[1] = warpline_cuda_sync(SYNC_SHFL_UP, FULL, in[i], 3 | segment);
	r[2] = warpline_cuda_sync(SYNC_SHFL_DOWN, FULL, in[i], 3 | 31u << 16 | segment);
	r[3] = warpline_cuda_sync(SYNC_SHFL_XOR, FULL, in[i], 5 | 31u << 16 | segment);
	for (uint k = 0; k < 4; k++)
		out[4 * i + k] = (uint)r[k] + 1000000 * (uint)(r[k] >> 32);
}

/* Each warp its sum, then the first warp the sum of these. */
kernel void group_sum(global uint *out, global const uint *in, uint n)
{
	local uint sums[32];
	uint me = (uint)get_local_id(0), value = sum_of_warp(FULL, in[get_global_id(0)]);

	if (me % 32 == 0)
		sums[me / 32] = value;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (me / 32 == 0) {
		value = me < get_local_size(0) / 32 ? sums[me] : 0;
		value = sum_of_warp(FULL, value);
		if (me == 0)
			out[get_group_id(0)] = value;
	}
}

/* Some return; the others meet at a barrier and in their warps. */
kernel void early_return(global uint *out, global const uint *in, uint n)
{
	local uint shared[64];
	uint i = (uint)get_global_id(0), me = (uint)get_local_id(0);

	shared[me] = 0;
	if (i >= n)
		return;
	shared[me] = in[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	uint lanes = (uint)warpline_cuda_sync(SYNC_BALLOT, FULL, 1, 0);
	out[i] = shared[(me + 1) % 64] + 1000 * popcount(lanes);
}

/* Each warp goes round as often as its slowest lane. */
kernel void slowest(global uint *out, global const uint *in, uint n)
{
	uint left = in[get_global_id(0)], rounds = 0;

	while (warpline_cuda_sync(SYNC_VOTE_ANY, FULL, left > 0, 0)) {
		left -= left > 0;
		rounds++;
	}
	out[get_global_id(0)] = rounds;
}

/* Each lane goes round as often as a loop before has: nothing says so but how it ended. */
kernel void own_rounds(global uint *out, global const uint *in, uint n)
{
	uint i = (uint)get_global_id(0), rounds = 0, lanes = 0;

	while (rounds * rounds < in[i])
		rounds++;
	for (uint k = 0; k < rounds; k++)
		lanes += popcount((uint)warpline_cuda_sync(SYNC_BALLOT, FULL, 1, 0));
	out[i] = lanes;
}

/* Even and odd lanes talk among themselves, on different paths, at different times. */
kernel void halves(global uint *out, global const uint *in, uint n)
{
	uint i = (uint)get_global_id(0), value = in[i], result = 0;

	if (i & 1) {
		for (uint k = 0; k < i % 5; k++)
			value += k;
		result = (uint)warpline_cuda_sync(SYNC_REDUX_UMAX, 0xaaaaaaaau, value, 0);
	} else {
		result = (uint)warpline_cuda_sync(SYNC_REDUX_ADD, 0x55555555u, value, 0);
		result += (uint)warpline_cuda_sync(SYNC_MATCH_ANY, 0x55555555u, value % 3, 0);
	}
	warpline_cuda_sync(SYNC_WARP, FULL, 0, 0);
	out[i] = result;
}

/* The lanes of a branch ask who is there; then a mask names lanes that will not come. */
kernel void branch(global uint *out, global const uint *in, uint n)
{
	uint i = (uint)get_global_id(0);

	out[i] = 0;
	if (in[i] % 3 == 0) {
		uint mask = (uint)warpline_cuda_sync(SYNC_ACTIVEMASK, 0, 0, 0);

		out[i] = mask ^ (uint)warpline_cuda_sync(SYNC_VOTE_ALL, FULL, in[i] % 2, 0);
	}
	warpline_cuda_sync(SYNC_WARP, FULL, 0, 0);
}

/* Votes of the group, until it agrees; barriers inside a loop whose end all know. */
kernel void group_votes(global uint *out, global const uint *in, uint n)
{
	uint i = (uint)get_global_id(0), left = in[i] % 9, rounds = 0, result;

	while (warpline_cuda_group_sync(SYNC_GROUP_OR, left > 0)) {
		left -= left > 0;
		rounds++;
	}
	result = (uint)warpline_cuda_group_sync(SYNC_GROUP_COUNT, in[i] & 1);
	result += 1000 * (uint)warpline_cuda_group_sync(SYNC_GROUP_AND, in[i] < 90);
	result += 10000 * (uint)warpline_cuda_group_sync(SYNC_GROUP_AND, in[i] < 10);
	out[i] = result + 100000 * rounds;
}

/* A barrier in a loop that some go past: they have a `continue` of their own kind. */
kernel void some_pass(global uint *out, global const uint *in, uint n)
{
	local uint shared[64];
	uint me = (uint)get_local_id(0), total = 0;

	for (uint round = 0; round < 3; round++) {
		shared[me] = in[get_global_id(0)] + round;
		if (me % 2)
			barrier(CLK_LOCAL_MEM_FENCE);
		else
			barrier(CLK_LOCAL_MEM_FENCE);
		total += shared[(me + 7) % get_local_size(0)];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = total;
}

/* As OpenCL has it: an `if` that differs and a loop that does not; it stays as it is. */
kernel void barriers_in_loop(global uint *out, global const uint *in, uint n)
{
	local uint shared[64];
	uint me = (uint)get_local_id(0);

	shared[me] = in[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (uint by = (uint)get_local_size(0) / 2; by > 0; by >>= 1) {
		if (me < by)
			shared[me] += shared[me + by];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	out[get_global_id(0)] = me ? 0 : shared[0];
}

/* All items of a group take the same arm, and there are barriers in both. */
kernel void arms(global uint *out, global const uint *in, uint n)
{
	local uint shared[64];
	uint me = (uint)get_local_id(0);

	shared[me] = in[get_global_id(0)];
	if (get_group_id(0) % 2 == 0) {
		barrier(CLK_LOCAL_MEM_FENCE);
		out[get_global_id(0)] = shared[(me + 1) % 64];
		barrier(CLK_LOCAL_MEM_FENCE);
		shared[me] = 0;
	} else {
		for (uint by = 32; by > 0; by >>= 1) {
			barrier(CLK_LOCAL_MEM_FENCE);
			if (me < by)
				shared[me] += shared[me + by];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		out[get_global_id(0)] = shared[0];
	}
}
