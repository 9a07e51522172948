// Double precision: Horner's rule, a fused multiply-add, roots.
// level: what the loop reads again and again is read before it at the default level
#include "corpus.cuh"

#include <math.h>

enum { N = 128 };

__global__ void horner(const double *x, double *y, int degree)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double sum = 0;

	for (int k = 0; k <= degree; k++)
		sum = fma(sum, x[i], (double)(k + 1)); // @1
	y[i] = sqrt(sum * sum) + fabs(-sum); // @2
}

int main()
{
	double x[N], y[N];

	for (int i = 0; i < N; i++)
		x[i] = 0.25 * i;
	double *a = device_array("x", N, x), *b = device_array<double>("y", N);
	horner<<<4, N / 4>>>(a, b, 3);
	finish();
	fetch(y, b, N);
	for (int i = 0; i < N; i++)
		near("y", i, y[i], 2 * (((1 * x[i] + 2) * x[i] + 3) * x[i] + 4), 1e-9 * (1 + y[i]));
	return verdict();
}
