// Loops of compare and swap: a maximum of floats, a sum of doubles. How many rounds they take is known
// where no other work-item has the same cell.
#include "corpus.h"

enum { N = 16 };

__device__ float max_of(float *at, float value)
{
	int *bits = (int *)at;
	int old = *bits, assumed; // @1

	do {
		assumed = old;
		if (__int_as_float(assumed) >= value)
			break;
		old = atomicCAS(bits, assumed, __float_as_int(value)); // @2
	} while (assumed != old);
	return __int_as_float(old);
}

__device__ double sum_of(double *at, double value)
{
	unsigned long long *bits = (unsigned long long *)at;
	unsigned long long old = *bits, assumed; // @3

	do {
		assumed = old;
		old = atomicCAS(bits, assumed, // @4
		                __double_as_longlong(value + __longlong_as_double(assumed)));
	} while (assumed != old);
	return __longlong_as_double(old);
}

__global__ void apart(float *floats, double *doubles)
{
	int g = blockIdx.x;

	for (int k = 0; k < 3; k++) {
		max_of(&floats[g], (float)(k == 1 ? g : -g));
		sum_of(&doubles[g], 0.5 * k);
	}
}

// All at one cell; what is recorded depends on the order, the result does not.
__global__ void together(double *sum)
{
	sum_of(sum, (double)threadIdx.x);
}

int main()
{
	float floats[N];
	double doubles[N], sum;
	float *f = device_array<float>("floats", N);
	double *d = device_array<double>("doubles", N), *s = device_array<double>("sum", 1);

	apart<<<N, 1>>>(f, d);
	together<<<1, 64>>>(s);
	finish();
	fetch(floats, f, N);
	fetch(doubles, d, N);
	fetch(&sum, s, 1);
	for (int i = 0; i < N; i++) {
		same("floats", i, floats[i], (float)i);
		same("doubles", i, doubles[i], 1.5);
	}
	same("sum", 0, sum, 63.0 * 64 / 2);
	return verdict();
}
