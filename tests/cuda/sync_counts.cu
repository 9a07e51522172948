// Barriers that count, in a loop that ends when all are done.
#include "corpus.h"

enum { N = 192, GROUP = 96 };

__global__ void counts(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int value = in[i]; // @1
	int count = __syncthreads_count(value & 1); // @2
	int every = __syncthreads_and(value < 100); // @3
	int some = __syncthreads_or(value > 97);    // @4

	out[i] = 1000 * count + 10 * (every != 0) + (some != 0); // @5
}

// Halve until all are 0: rounds as many as the largest of the group needs.
__global__ void until_done(const int *in, int *rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int value = in[i], n = 0; // @6

	while (__syncthreads_or(value > 0)) { // @7
		value /= 2;
		n++;
	}
	rounds[i] = n; // @8
}

int main()
{
	int in[N], out[N], rounds[N];

	for (int i = 0; i < N; i++)
		in[i] = i < GROUP ? i * 7 % 97 : i - GROUP + (i == N - 1 ? 100 : 0);
	int *a = device_array("in", N, in), *b = device_array<int>("out", N);
	int *c = device_array<int>("rounds", N);
	counts<<<N / GROUP, GROUP>>>(a, b);
	until_done<<<N / GROUP, GROUP>>>(a, c);
	finish();
	fetch(out, b, N);
	fetch(rounds, c, N);
	for (int g = 0; g < N; g += GROUP) {
		int count = 0, every = 1, some = 0, largest = 0, n = 0;

		for (int i = g; i < g + GROUP; i++) {
			count += in[i] & 1;
			every &= in[i] < 100;
			some |= in[i] > 97;
			largest = in[i] > largest ? in[i] : largest;
		}
		for (; largest > 0; largest /= 2)
			n++;
		for (int i = g; i < g + GROUP; i++) {
			same("out", i, out[i], 1000 * count + 10 * every + some);
			same("rounds", i, rounds[i], n);
		}
	}
	return verdict();
}
