// Three points along a line with a halo in shared memory; five points of a plane without.
#include "corpus.h"

enum { N = 256, GROUP = 64, SIDE = 18 };

__global__ void line(const int *in, int *out)
{
	__shared__ int s[GROUP + 2];
	int t = threadIdx.x + 1, i = blockIdx.x * blockDim.x + threadIdx.x;

	s[t] = in[i]; // @1
	if (threadIdx.x == 0)
		s[0] = i > 0 ? in[i - 1] : 0; // @2
	if (threadIdx.x == blockDim.x - 1)
		s[t + 1] = i + 1 < N ? in[i + 1] : 0; // @3
	__syncthreads(); // @4
	out[i] = s[t - 1] + 2 * s[t] + s[t + 1]; // @5
}

__global__ void plane(const int *in, int *out)
{
	int x = threadIdx.x + 1, y = blockIdx.x * blockDim.y + threadIdx.y + 1;
	int at = y * SIDE + x;

	out[at] = in[at - SIDE] // @6
		+ in[at - 1] // @7
		- 4 * in[at] // @8
		+ in[at + 1] // @9
		+ in[at + SIDE]; // @10
}

int main()
{
	static int in[SIDE * SIDE], out[SIDE * SIDE];

	for (int i = 0; i < SIDE * SIDE; i++)
		in[i] = i * i % 101;
	int *a = device_array("in", SIDE * SIDE, in), *b = device_array<int>("out", SIDE * SIDE);
	line<<<N / GROUP, GROUP>>>(a, b);
	finish();
	fetch(out, b, N);
	for (int i = 0; i < N; i++)
		same("line", i, out[i],
		     (i ? in[i - 1] : 0) + 2 * in[i] + (i + 1 < N ? in[i + 1] : 0));
	plane<<<4, dim3(SIDE - 2, 4)>>>(a, b);
	finish();
	fetch(out, b, SIDE * SIDE);
	for (int y = 1; y < SIDE - 1; y++)
		for (int x = 1; x < SIDE - 1; x++) {
			int at = y * SIDE + x;

			same("plane", at, out[at],
			     in[at - SIDE] + in[at - 1] - 4 * in[at] + in[at + 1] + in[at + SIDE]);
		}
	return verdict();
}
