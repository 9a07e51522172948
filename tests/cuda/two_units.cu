// Two translation units, with a kernel of the same name in each, and one that the other calls.
#include "corpus.h"

enum { N = 64 };

void second_unit(const int *in, int *out); // two_units_more.cu

__device__ static int shift = 1;

static __global__ void step(const int *in, int *out)
{
	out[threadIdx.x] = in[threadIdx.x] << shift; // @1
}

int main()
{
	int in[N], out[N];

	for (int i = 0; i < N; i++)
		in[i] = i;
	int *a = device_array("a", N, in), *b = device_array<int>("b", N);
	void *address;
	MUST(cudaGetSymbolAddress(&address, shift));
	show("shift", address, sizeof(shift));
	step<<<1, N>>>(a, b);
	second_unit(b, a);
	step<<<1, N>>>(a, b);
	finish();
	fetch(out, b, N);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], (2 * i + 300) * 2);
	return verdict();
}
