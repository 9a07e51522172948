// Counted in shared memory first, then added to the global counters; and straight into them.
#include "corpus.h"

enum { N = 600, GROUP = 64, BINS = 16, GROUPS = 4 };

__global__ void shared_bins(const unsigned char *in, unsigned *bins, int n)
{
	__shared__ unsigned mine[BINS];

	if (threadIdx.x < BINS)
		mine[threadIdx.x] = 0;
	__syncthreads(); // @1
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&mine[in[i] % BINS], 1u); // @2
	__syncthreads(); // @3
	if (threadIdx.x < BINS)
		atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]); // @4
}

__global__ void global_bins(const unsigned char *in, int *bins, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		atomicAdd(&bins[in[i] % BINS], 1); // @5
}

int main()
{
	static unsigned char in[N];
	unsigned want[BINS] = { 0 }, first[BINS];
	int second[BINS];

	for (int i = 0; i < N; i++)
		want[(in[i] = (i * i + 3 * i) % 251) % BINS]++;
	unsigned char *a = device_array("in", N, in);
	unsigned *b = device_array<unsigned>("first", BINS);
	int *c = device_array<int>("second", BINS);
	shared_bins<<<GROUPS, GROUP>>>(a, b, N);
	global_bins<<<(N + GROUP - 1) / GROUP, GROUP>>>(a, c, N);
	finish();
	fetch(first, b, BINS);
	fetch(second, c, BINS);
	for (int i = 0; i < BINS; i++) {
		same("first", i, first[i], want[i]);
		same("second", i, second[i], (int)want[i]);
	}
	return verdict();
}
