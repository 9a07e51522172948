// Launches by the function, with arguments of several sizes, and what the launch takes apart.
#include "corpus.h"

enum { N = 64 };

__global__ void mixed(char c, double d, short s, const int *in, bool add, float3 f, double *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = c + d + s + (add ? in[i] : 0) + f.x * f.y * f.z; // @1
}

int main()
{
	int in[N];
	double got[N];

	for (int i = 0; i < N; i++)
		in[i] = i;
	const int *a = device_array("in", N, in);
	double *b = device_array<double>("out", N);
	char c = -5;
	double d = 0.5;
	short s = 1000;
	bool add = true;
	float3 f = make_float3(2, 3, 4);
	void *arguments[] = { &c, &d, &s, &a, &add, &f, &b };
	MUST(cudaLaunchKernel((const void *)mixed, dim3(2), dim3(N / 2), arguments, 0, 0));
	finish();
	fetch(got, b, N);
	for (int i = 0; i < N; i++)
		same("out", i, got[i], -5 + 0.5 + 1000 + i + 24);
	add = false;
	MUST(cudaLaunchKernel((const void *)mixed, dim3(1), dim3(8), arguments, 0, 0));
	finish();
	fetch(got, b, 8);
	same("without", 3, got[3], -5 + 0.5 + 1000 + 24.0);
	return verdict();
}
