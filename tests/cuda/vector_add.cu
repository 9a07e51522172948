// c = a + b, with a last group that is not full.
#include "corpus.h"

enum { N = 1000, GROUP = 256 };

__global__ void add(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i]; // @1
}

int main()
{
	static float a[N], b[N], c[N];

	for (int i = 0; i < N; i++) {
		a[i] = i;
		b[i] = 2.5f * i;
	}
	float *da = device_array("a", N, a), *db = device_array("b", N, b);
	float *dc = device_array<float>("c", N);
	add<<<(N + GROUP - 1) / GROUP, GROUP>>>(da, db, dc, N);
	finish();
	fetch(c, dc, N);
	for (int i = 0; i < N; i++)
		same("c", i, c[i], a[i] + b[i]);
	return verdict();
}
