// Numbers of 16 bits: read, widened, narrowed, written.
#include "corpus.h"

#include <cuda_fp16.h>

enum { N = 64 };

__global__ void widen(const __half *in, float *out, __half *narrow)
{
	int i = threadIdx.x;
	float value = __half2float(in[i]); // @1

	out[i] = value + 1;                    // @2
	narrow[i] = __float2half(value * 0.5f); // @3
}

int main()
{
	__half in[N], narrow[N];
	float out[N];

	for (int i = 0; i < N; i++)
		in[i] = __float2half((float)(i - 20) * 0.25f);
	__half *a = device_array("in", N, in), *c = device_array<__half>("narrow", N);
	float *b = device_array<float>("out", N);
	widen<<<1, N>>>(a, b, c);
	finish();
	fetch(out, b, N);
	fetch(narrow, c, N);
	for (int i = 0; i < N; i++) {
		same("out", i, out[i], (i - 20) * 0.25f + 1);
		same("narrow", i, __half2float(narrow[i]), (i - 20) * 0.125f);
	}
	return verdict();
}
