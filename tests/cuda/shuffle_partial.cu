// Warps in which not all take part: some have returned, some go the other way, the last is not full.
#include "corpus.h"

enum { GROUP = 80, N = 2 * GROUP };

// The odd lanes return before; the even ones sum what the next even one has.
__global__ void returned(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i & 1)
		return;
	int value = in[i]; // @1
	out[i] = value + __shfl_sync(0x55555555u, value, (threadIdx.x % 32 + 2) % 32); // @2
}

// Each side of the branch is a half of its own.
__global__ void sides(const int *in, int *out)
{
	int i = threadIdx.x, lane = i % 32;
	int value = in[i], got; // @3

	if (lane < 16)
		got = __shfl_xor_sync(0x0000ffffu, value, 1);
	else
		got = __shfl_xor_sync(0xffff0000u, value, 15);
	out[i] = got; // @4
}

// Only those whose value is over 50 vote and meet; the others come to the barrier at once.
__global__ void chosen(const int *in, int *out, unsigned *votes)
{
	__shared__ unsigned found[GROUP];
	int i = threadIdx.x;
	int value = in[i]; // @5

	found[i] = 0;
	if (value > 50)
		found[i] = __ballot_sync(__activemask(), value > 75);
	__syncthreads(); // @6
	out[i] = (int)found[i]; // @7
	if (i % 32 == 0)
		votes[i / 32] = found[i]; // @8
}

int main()
{
	int in[N], out[N];

	for (int i = 0; i < N; i++)
		in[i] = i % 32 == 0 ? 100 : i * 37 % 101;
	int *a = device_array("in", N, in), *b = device_array<int>("out", N);
	unsigned *v = device_array<unsigned>("votes", 3), votes[3];

	// The last warp of a group of 80 has 16 lanes: a mask names lanes that are not there.
	returned<<<2, 64>>>(a, b);
	finish();
	fetch(out, b, N);
	for (int i = 0; i < 128; i++)
		same("returned", i, out[i], i & 1 ? 0 : in[i] + in[i / 32 * 32 + (i + 2) % 32]);
	sides<<<1, 64>>>(a, b);
	finish();
	fetch(out, b, 64);
	for (int i = 0; i < 64; i++)
		same("sides", i, out[i], in[i % 32 < 16 ? i ^ 1 : i ^ 15]);
	chosen<<<1, GROUP>>>(a, b, v);
	finish();
	fetch(out, b, GROUP);
	fetch(votes, v, 3);
	for (int i = 0; i < GROUP; i++) {
		unsigned want = 0;

		for (int k = 0; k < 32; k++) {
			int at = i / 32 * 32 + k;

			if (at < GROUP && in[at] > 75)
				want |= 1u << k;
		}
		same("chosen", i, (unsigned)out[i], in[i] > 50 ? want : 0u);
		if (i % 32 == 0)
			same("votes", i / 32, votes[i / 32], want);
	}
	return verdict();
}
