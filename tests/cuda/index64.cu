// Indices of 64 bits: sizes as size_t, products that do not fit in 32 bits, a negative step.
#include "corpus.h"

enum { N = 256 };

__global__ void wide(const unsigned long long *in, unsigned long long *out, size_t n)
{
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[n - 1 - i] * 0x100000001ull; // @1
}

// (i * 2^31) / 2^31, kept in 64 bits, is i again.
__global__ void large(const unsigned *in, unsigned *out)
{
	long long i = (long long)(blockIdx.x * blockDim.x + threadIdx.x) << 31;

	out[i >> 31] = in[(i * 3 >> 31) % N]; // @2
}

__global__ void backward(const unsigned *end, unsigned *out)
{
	long i = -1 - (long)(blockIdx.x * blockDim.x + threadIdx.x);

	out[-1 - i] = end[i]; // @3
}

int main()
{
	static unsigned long long in[N], out[N];
	static unsigned words[N], got[N];

	for (int i = 0; i < N; i++) {
		in[i] = i * 77777ull;
		words[i] = i * 3;
	}
	unsigned long long *a = device_array("in", N, in), *b = device_array<unsigned long long>("out", N);
	unsigned *c = device_array("words", N, words), *d = device_array<unsigned>("got", N);
	wide<<<4, N / 4>>>(a, b, N - 6);
	large<<<4, N / 4>>>(c, d);
	finish();
	fetch(out, b, N);
	fetch(got, d, N);
	for (int i = 0; i < N; i++) {
		same("out", i, out[i], i < N - 6 ? in[N - 7 - i] * 0x100000001ull : 0);
		same("large", i, got[i], words[3 * i % N]);
	}
	backward<<<4, N / 4>>>(c + N, d);
	finish();
	fetch(got, d, N);
	for (int i = 0; i < N; i++)
		same("backward", i, got[i], words[N - 1 - i]);
	return verdict();
}
