// Arrays of a work-item, indexed by what is known only at run time; they are not global memory.
#include "corpus.h"

enum { N = 64, SIZE = 8 };

__global__ void sort(const int *in, int *out)
{
	int mine[SIZE], base = threadIdx.x * SIZE;

	for (int k = 0; k < SIZE; k++)
		mine[k] = in[base + k]; // @1
	for (int k = 1; k < SIZE; k++) {
		int value = mine[k], at = k;

		for (; at > 0 && mine[at - 1] > value; at--)
			mine[at] = mine[at - 1];
		mine[at] = value;
	}
	for (int k = 0; k < SIZE; k++)
		out[base + k] = mine[k]; // @2
}

int main()
{
	int in[N * SIZE], out[N * SIZE];

	for (int i = 0; i < N * SIZE; i++)
		in[i] = i * 7919 % 1009;
	int *a = device_array("in", N * SIZE, in), *b = device_array<int>("out", N * SIZE);
	sort<<<1, N>>>(a, b);
	finish();
	fetch(out, b, N * SIZE);
	for (int i = 0; i < N * SIZE; i++) {
		int rank = 0;

		if (i % SIZE)
			same("in order", i, out[i - 1] <= out[i], true);
		for (int k = 0; k < SIZE; k++)
			rank += out[i / SIZE * SIZE + k] == in[i];
		same("kept", i, rank >= 1, true);
	}
	return verdict();
}
