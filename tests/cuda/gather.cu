// out[i] = in[index[i]], and the sum along rows of a sparse matrix.
#include "corpus.h"

enum { N = 256, GROUP = 64 };

__global__ void gather(const float *in, const int *index, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = in[index[i]]; // @1
}

__global__ void rows(const int *first, const int *column, const float *in, float *out)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	int end = first[row + 1]; // @2
	float sum = 0;

	for (int k = first[row]; k < end; k++) // @3
		sum += in[column[k]]; // @4
	out[row] = sum; // @5
}

int main()
{
	static float in[N], out[N];
	static int index[N], first[N + 1], column[3 * N];
	int edges = 0;

	for (int i = 0; i < N; i++) {
		in[i] = i;
		index[i] = (i * 37 + 11) % N;
		first[i] = edges;
		for (int k = 0; k < i % 4; k++)
			column[edges++] = (i * 5 + k * 50) % N;
	}
	first[N] = edges;
	float *a = device_array("in", N, in), *o = device_array<float>("out", N);
	int *x = device_array("index", N, index), *f = device_array("first", N + 1, first);
	int *c = device_array("column", 3 * N, column);
	gather<<<N / GROUP, GROUP>>>(a, x, o);
	finish();
	fetch(out, o, N);
	for (int i = 0; i < N; i++)
		same("gathered", i, out[i], in[index[i]]);
	rows<<<N / GROUP, GROUP>>>(f, c, a, o);
	finish();
	fetch(out, o, N);
	for (int i = 0; i < N; i++) {
		float sum = 0;

		for (int k = first[i]; k < first[i + 1]; k++)
			sum += in[column[k]];
		same("rows", i, out[i], sum);
	}
	return verdict();
}
