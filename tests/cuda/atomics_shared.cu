// Atomics in shared memory, which is not recorded, of several types; one of global memory behind.
#include "corpus.h"

enum { N = 64 };

__global__ void mine(const float *in, float *sum, unsigned long long *count, int *largest)
{
	__shared__ float s;
	__shared__ unsigned long long c;
	__shared__ int m;

	if (threadIdx.x == 0) {
		s = 0;
		c = 0;
		m = -1;
	}
	__syncthreads(); // @1
	atomicAdd(&s, in[blockIdx.x * blockDim.x + threadIdx.x]); // @2
	atomicAdd(&c, 3ull);
	atomicMax(&m, (int)threadIdx.x * 2);
	__syncthreads(); // @3
	if (threadIdx.x == 0) {
		atomicAdd(sum, s);         // @4
		atomicAdd(count, c);       // @5
		atomicMax(largest, m + (int)blockIdx.x); // @6
	}
}

int main()
{
	float in[2 * N], sum = 0, want = 0;
	unsigned long long count;
	int largest;

	for (int i = 0; i < 2 * N; i++)
		want += in[i] = i;
	float *a = device_array("in", 2 * N, in), *b = device_array<float>("sum", 1);
	unsigned long long *c = device_array<unsigned long long>("count", 1);
	int *d = device_array<int>("largest", 1);
	mine<<<2, N>>>(a, b, c, d);
	finish();
	fetch(&sum, b, 1);
	fetch(&count, c, 1);
	fetch(&largest, d, 1);
	same("sum", 0, sum, want);
	same("count", 0, count, 3ull * 2 * N);
	same("largest", 0, largest, 2 * (N - 1) + 1);
	return verdict();
}
