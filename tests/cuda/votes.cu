// any, all, ballot, and what is made of them: ranks among those that vote yes.
#include "corpus.h"

enum { N = 128 };

__global__ void votes(const int *in, int *any, int *all, unsigned *ballots)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int value = in[i]; // @1

	any[i] = __any_sync(0xffffffff, value > 90);      // @2
	all[i] = __all_sync(0xffffffff, value >= 0);      // @3
	ballots[i] = __ballot_sync(0xffffffff, value & 1); // @4
}

// Keep the odd ones, in order, a warp at a time: one atomic a warp.
__global__ void keep(const int *in, int *out, int *count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
	int value = in[i]; // @5
	unsigned odd = __ballot_sync(0xffffffff, value & 1);
	int base = 0;

	if (lane == 0)
		base = atomicAdd(count, __popc(odd)); // @6
	base = __shfl_sync(0xffffffff, base, 0);
	if (value & 1)
		out[base + __popc(odd & ((1u << lane) - 1))] = value; // @7
}

int main()
{
	int in[N], any[N], all[N], kept[N], odd = 0, got, sum = 0, want = 0;
	unsigned ballots[N];

	for (int i = 0; i < N; i++) {
		in[i] = i < 64 ? i : i * 13 % 100 - (i == 127);
		odd += in[i] & 1;
	}
	int *a = device_array("in", N, in), *b = device_array<int>("any", N);
	int *c = device_array<int>("all", N), *e = device_array<int>("kept", N);
	unsigned *d = device_array<unsigned>("ballots", N);
	int *n = device_array<int>("count", 1);
	votes<<<2, N / 2>>>(a, b, c, d);
	keep<<<1, N>>>(a, e, n);
	finish();
	fetch(any, b, N);
	fetch(all, c, N);
	fetch(ballots, d, N);
	fetch(kept, e, N);
	fetch(&got, n, 1);
	for (int i = 0; i < N; i++) {
		int some = 0, every = 1;
		unsigned bits = 0;

		for (int k = 0; k < 32; k++) {
			int value = in[i / 32 * 32 + k];

			some |= value > 90;
			every &= value >= 0;
			bits |= (unsigned)(value & 1) << k;
		}
		same("any", i, any[i] != 0, some != 0);
		same("all", i, all[i] != 0, every != 0);
		same("ballots", i, ballots[i], bits);
		sum += i < got ? kept[i] : 0;
		want += in[i] & 1 ? in[i] : 0;
	}
	same("count", 0, got, odd);
	same("kept", 0, sum, want);
	return verdict();
}
