// A sum by shuffles down a warp; then of the warps' sums, by the first warp alone.
#include "corpus.h"

enum { N = 512, GROUP = 128, WARPS = GROUP / 32 };

__device__ int warp_sum(int value)
{
	for (int offset = 16; offset > 0; offset /= 2)
		value += __shfl_down_sync(0xffffffff, value, offset);
	return value;
}

__global__ void group_sum(const int *in, int *out)
{
	__shared__ int sums[WARPS];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	int value = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]); // @1

	if (lane == 0)
		sums[warp] = value;
	__syncthreads(); // @2
	if (warp == 0) {
		value = lane < WARPS ? sums[lane] : 0;
		value = warp_sum(value);
		if (lane == 0)
			out[blockIdx.x] = value; // @3
	}
}

int main()
{
	static int in[N];
	int out[N / GROUP];

	for (int i = 0; i < N; i++)
		in[i] = i * 7 % 100;
	int *a = device_array("in", N, in), *b = device_array<int>("out", N / GROUP);
	group_sum<<<N / GROUP, GROUP>>>(a, b);
	finish();
	fetch(out, b, N / GROUP);
	for (int g = 0; g < N / GROUP; g++) {
		int sum = 0;

		for (int i = 0; i < GROUP; i++)
			sum += in[g * GROUP + i];
		same("out", g, out[g], sum);
	}
	return verdict();
}
