// The index of the group is asked for between barriers, in a loop whose end the warp decides.
#include "corpus.cuh"

enum { N = 256, GROUP = 64 };

__global__ void count(const int *in, int *out, int n)
{
	__shared__ int kept;

	if (threadIdx.x == 0)
		kept = in[0]; // @1
	__syncthreads(); // @2
	for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
		int rounds = 0;

		do {
			rounds++;
			__syncwarp();
		} while (!__all_sync(~0u, rounds > i / 32 % 3));
		out[i] = rounds + kept; // @3
	}
}

int main()
{
	int first = 5, got[N];
	int *in = device_array("in", 1, &first), *out = device_array<int>("out", N);

	count<<<2, GROUP>>>(in, out, N);
	finish();
	fetch(got, out, N);
	for (int i = 0; i < N; i++)
		same("rounds", i, got[i], 5 + 1 + i / 32 % 3);
	return verdict();
}
