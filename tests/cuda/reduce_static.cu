// A sum per group in static shared memory, then the sum of the sums.
#include "corpus.h"

enum { N = 1000, GROUP = 128, GROUPS = 8 };

__global__ void reduce(const int *in, int *out, int n)
{
	__shared__ int part[GROUP];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

	part[t] = i < n ? in[i] : 0; // @1
	__syncthreads(); // @2
	for (int half = blockDim.x / 2; half > 0; half /= 2) {
		if (t < half)
			part[t] += part[t + half];
		__syncthreads(); // @3
	}
	if (t == 0)
		out[blockIdx.x] = part[0]; // @4
}

int main()
{
	static int in[N];
	int sum = 0, got;

	for (int i = 0; i < N; i++)
		sum += in[i] = i * 3 - 500;
	int *a = device_array("in", N, in), *parts = device_array<int>("parts", GROUPS);
	int *total = device_array<int>("total", 1);
	reduce<<<GROUPS, GROUP>>>(a, parts, N);
	reduce<<<1, GROUP>>>(parts, total, GROUPS);
	finish();
	fetch(&got, total, 1);
	same("total", 0, got, sum);
	return verdict();
}
