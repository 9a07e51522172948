// One piece of dynamic shared memory, cut into parts of several types.
// record: --spaces local
#include "corpus.h"

enum { N = 64 };

extern __shared__ unsigned char room[];

__global__ void parts(const double *in, float *floats, short *shorts, int n)
{
	double *d = (double *)room;
	float *f = (float *)&d[n];
	short *s = (short *)(f + n);
	int t = threadIdx.x;

	d[t] = in[t]; // @1
	f[t] = (float)in[n - 1 - t]; // @2
	s[t] = (short)t; // @6
	__syncthreads(); // @3
	floats[t] = f[n - 1 - t] + (float)d[(t + 1) % n]; // @4
	shorts[t] = s[t ^ 1];                             // @5
}

int main()
{
	double in[N];
	float floats[N];
	short shorts[N];

	for (int i = 0; i < N; i++)
		in[i] = 1.5 * i;
	double *a = device_array("in", N, in);
	float *b = device_array<float>("floats", N);
	short *c = device_array<short>("shorts", N);
	parts<<<1, N, N * (sizeof(double) + sizeof(float) + sizeof(short))>>>(a, b, c, N);
	finish();
	fetch(floats, b, N);
	fetch(shorts, c, N);
	for (int i = 0; i < N; i++) {
		same("floats", i, floats[i], (float)(in[i] + in[(i + 1) % N]));
		same("shorts", i, (int)shorts[i], i ^ 1);
	}
	return verdict();
}
