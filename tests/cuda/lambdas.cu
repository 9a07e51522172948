// Lambdas of the device, as arguments of a kernel template: capturing values and pointers.
#include "corpus.h"

enum { N = 96 };

template <typename F> __global__ void for_each(int n, F f)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		f(i);
}

int main()
{
	int in[N], out[N];

	for (int i = 0; i < N; i++)
		in[i] = 5 * i;
	int *a = device_array("in", N, in), *b = device_array<int>("out", N);
	int add = 1000;
	for_each<<<2, 64>>>(N, [=] __device__(int i) {
		b[i] = a[N - 1 - i] + add; // @1
	});
	finish();
	fetch(out, b, N);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], in[N - 1 - i] + 1000);
	for_each<<<1, 32>>>(20, [b] __device__(int i) {
		b[i] = -b[i]; // @2
	});
	finish();
	fetch(out, b, N);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], (in[N - 1 - i] + 1000) * (i < 20 ? -1 : 1));
	return verdict();
}
