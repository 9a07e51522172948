// assert in a kernel: kept, then broken, which the next call to the runtime says.
#include "corpus.h"

#undef NDEBUG
#include <assert.h>

__global__ void checked(const int *in, int *out, int most)
{
	int i = threadIdx.x;
	int value = in[i]; // @1

	assert(value <= most);
	out[i] = value; // @2
}

int main()
{
	int in[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, out[8];
	int *a = device_array("in", 8, in), *b = device_array<int>("out", 8);

	checked<<<1, 8>>>(a, b, 8);
	finish();
	fetch(out, b, 8);
	for (int i = 0; i < 8; i++)
		same("out", i, out[i], in[i]);
	checked<<<1, 8>>>(a, b, 7);
	same("broken", 0, (int)cudaDeviceSynchronize(), (int)cudaErrorAssert);
	return verdict();
}
