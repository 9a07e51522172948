// Exchange with the lane whose number differs in one bit; then with any lane, and one for all.
#include "corpus.h"

enum { N = 96, GROUP = 96 };

__global__ void butterfly(const float *in, float *largest, float *turned, float *first)
{
	int i = threadIdx.x;
	float value = in[i], most = value; // @1

	for (int bit = 1; bit < 32; bit *= 2)
		most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, bit));
	largest[i] = most;                                            // @2
	turned[i] = __shfl_sync(0xffffffff, value, 31 - threadIdx.x % 32); // @3
	first[i] = __shfl_sync(0xffffffff, value, 0, 16);             // @4
}

int main()
{
	float in[N], largest[N], turned[N], first[N];

	for (int i = 0; i < N; i++)
		in[i] = i * 29 % 97;
	float *a = device_array("in", N, in), *b = device_array<float>("largest", N);
	float *c = device_array<float>("turned", N), *d = device_array<float>("first", N);
	butterfly<<<1, GROUP>>>(a, b, c, d);
	finish();
	fetch(largest, b, N);
	fetch(turned, c, N);
	fetch(first, d, N);
	for (int i = 0; i < N; i++) {
		float most = 0;

		for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++)
			most = in[k] > most ? in[k] : most;
		same("largest", i, largest[i], most);
		same("turned", i, turned[i], in[i / 32 * 32 + 31 - i % 32]);
		same("first", i, first[i], in[i / 16 * 16]);
	}
	return verdict();
}
