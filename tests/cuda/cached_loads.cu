// Loads that say which cache they want, and pointers that are restricted.
#include "corpus.h"

enum { N = 128 };

__global__ void loads(const int *__restrict__ a, const float4 *__restrict__ b, int *__restrict__ out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = __ldg(&a[i]); // @1

	sum += __ldcg(a + N + i);          // @2
	sum += __ldca(&a[2 * N + i]);      // @3
	sum += __ldcs(&a[3 * N + i]);      // @4
	float4 v = __ldg(b + i);           // @5
	__stcg(&out[i], sum + (int)v.z);   // @6
}

__global__ void again(const volatile int *a, volatile int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = a[i] + a[i]; // @7
}

int main()
{
	int a[4 * N], out[N];
	float4 b[N];

	for (int i = 0; i < 4 * N; i++)
		a[i] = i * i;
	for (int i = 0; i < N; i++)
		b[i] = make_float4(0, 0, i, 0);
	int *da = device_array("a", 4 * N, a), *dout = device_array<int>("out", N);
	float4 *db = device_array("b", N, b);
	loads<<<2, N / 2>>>(da, db, dout);
	finish();
	fetch(out, dout, N);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], a[i] + a[N + i] + a[2 * N + i] + a[3 * N + i] + i);
	again<<<2, N / 2>>>(da, dout);
	finish();
	fetch(out, dout, N);
	for (int i = 0; i < N; i++)
		same("again", i, out[i], 2 * a[i]);
	return verdict();
}
