// A sum over groups in one launch: the group that comes last, by a counter behind a fence, sums the
// parts. Which one that is depends on the order; here one group a launch is the whole of it.
#include "corpus.h"

enum { N = 64, GROUP = 32 };

__device__ unsigned arrived;

__global__ void sum(const int *in, volatile int *parts, int *out)
{
	__shared__ bool is_last;
	int t = threadIdx.x;
	int value = in[blockIdx.x * blockDim.x + t]; // @1

	for (int offset = 16; offset > 0; offset /= 2)
		value += __shfl_xor_sync(0xffffffff, value, offset);
	if (t == 0) {
		parts[blockIdx.x] = value; // @2
		__threadfence();           // @3
		is_last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1; // @4
	}
	__syncthreads(); // @5
	if (is_last && t == 0) {
		int all = 0;

		for (unsigned g = 0; g < gridDim.x; g++)
			all += parts[g]; // @6
		*out = all; // @7
	}
}

int main()
{
	int in[N], got, want = 0;
	void *address;

	for (int i = 0; i < N; i++)
		want += in[i] = i * i;
	MUST(cudaGetSymbolAddress(&address, arrived));
	show("arrived", address, sizeof(arrived));
	int *a = device_array("in", N, in), *b = device_array<int>("parts", N / GROUP);
	int *c = device_array<int>("out", 1);
	sum<<<1, GROUP>>>(a, b, c);
	finish();
	fetch(&got, c, 1);
	same("first", 0, got, 31 * 32 * 63 / 6);
	sum<<<N / GROUP, GROUP>>>(a, b, c);
	finish();
	fetch(&got, c, 1);
	same("out", 0, got, want);
	return verdict();
}
