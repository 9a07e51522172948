// The same with memory whose size the launch gives: two sizes of one kernel.
#include "corpus.h"

enum { N = 512 };

extern __shared__ float part[];

__global__ void reduce(const float *in, float *out)
{
	int t = threadIdx.x;

	part[t] = in[blockIdx.x * blockDim.x + t]; // @1
	__syncthreads(); // @2
	for (int half = blockDim.x / 2; half > 0; half /= 2) {
		if (t < half)
			part[t] += part[t + half];
		__syncthreads(); // @3
	}
	if (t == 0)
		out[blockIdx.x] = part[0]; // @4
}

static void run(const float *in, const float *a, float *b, int group)
{
	float out[N];

	reduce<<<N / group, group, group * sizeof(float)>>>(a, b);
	finish();
	fetch(out, b, N / group);
	for (int g = 0; g < N / group; g++) {
		float sum = 0;

		for (int i = 0; i < group; i++)
			sum += in[g * group + i];
		same("out", g, out[g], sum);
	}
}

int main()
{
	static float in[N];

	for (int i = 0; i < N; i++)
		in[i] = i - 100;
	float *a = device_array("in", N, in), *b = device_array<float>("out", N);
	run(in, a, b, 64);
	run(in, a, b, 256);
	return verdict();
}
