// printf in a kernel, of every kind of argument.
// prints: item 2 of 4: 3 times 1.50 is 4.5%
// prints: word z 1099511627776 beef    42|
// level: what was read or written is not read again at the default level
#include "corpus.cuh"

__global__ void speak(const int *in, float scale)
{
	int i = threadIdx.x;

	if (i == 2)
		printf("item %d of %u: %d times %.2f is %g%%\n", i, blockDim.x, in[i], scale, // @1
		       (double)(in[i] * scale)); // @2
}

__global__ void letters(long long big)
{
	printf("%s %c %lld %x %5d|\n", "word", 'z', big, 0xbeef, 42);
}

__global__ void silent(int *out)
{
	out[threadIdx.x] = 1; // @3
	if (out[threadIdx.x] != 1) // @4
		printf("never\n");
}

int main()
{
	int in[4] = { 1, 2, 3, 4 };
	int *a = device_array("in", 4, in);

	speak<<<1, 4>>>(a, 1.5f);
	finish();
	letters<<<1, 1>>>(1ll << 40);
	finish();
	silent<<<1, 4>>>(a);
	finish();
	return verdict();
}
