// A loop over the grid's stride, and a stride of its own.
#include "corpus.h"

enum { N = 1000, THREADS = 128, STRIDE = 7 };

__global__ void twice(const int *in, int *out, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		out[i] = 2 * in[i]; // @1
}

__global__ void pick(const int *in, int *out, int stride)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = in[i * stride]; // @2
}

int main()
{
	static int in[N], out[N], picked[THREADS];

	for (int i = 0; i < N; i++)
		in[i] = i * i;
	int *a = device_array("in", N, in), *b = device_array<int>("out", N);
	int *c = device_array<int>("picked", THREADS);
	twice<<<2, THREADS / 2>>>(a, b, N);
	pick<<<4, THREADS / 4>>>(a, c, STRIDE);
	finish();
	fetch(out, b, N);
	fetch(picked, c, THREADS);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], 2 * in[i]);
	for (int i = 0; i < THREADS; i++)
		same("picked", i, picked[i], in[i * STRIDE]);
	return verdict();
}
