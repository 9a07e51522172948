// Memory that host and device share.
// level: what is multiplied by itself is read once at the default level
#include "corpus.cuh"

enum { N = 100 };

__global__ void work(const int *in, long long *out, int *counter, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	out[i] = (long long)in[i] * in[i]; // @1
	atomicAdd(counter, 2);             // @2
}

int main()
{
	int *in, *counter;
	long long *out;

	MUST(cudaMallocManaged((void **)&in, N * sizeof(*in)));
	MUST(cudaMallocManaged((void **)&out, N * sizeof(*out)));
	show("in", in, N * sizeof(*in));
	show("out", out, N * sizeof(*out));
	MUST(cudaMallocManaged((void **)&counter, sizeof(*counter)));
	show("counter", counter, sizeof(*counter));
	for (int i = 0; i < N; i++)
		in[i] = i - 50;
	*counter = 4;
	work<<<2, 64>>>(in, out, counter, N);
	finish();
	for (int i = 0; i < N; i++)
		same("out", i, out[i], (long long)(i - 50) * (i - 50));
	same("counter", 0, *counter, 4 + 2 * N);
	MUST(cudaFree(in));
	MUST(cudaFree(out));
	return verdict();
}
