// What a kernel says of its own size, and a launch that is larger than that.
#include "corpus.h"

enum { N = 128 };

__global__ void __launch_bounds__(64, 2) small(int *out)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // @1
}

int main()
{
	int out[N];
	cudaFuncAttributes facts;
	int *a = device_array<int>("out", N);

	small<<<N / 64, 64>>>(a);
	finish();
	fetch(out, a, N);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], i % 64);
	MUST(cudaFuncGetAttributes(&facts, small));
	same("most of a group", 0, facts.maxThreadsPerBlock, 64);
	small<<<1, 128>>>(a);
	same("too large", 0, cudaGetLastError() != cudaSuccess, true);
	small<<<1, 32>>>(a);
	finish();
	return verdict();
}
