// Kernels lie in headers, too: the recording keeps the text of the file that has most of the sites.
// reports: out[i] = in[63 - i] + 1;
// reports: out[i] += 2;
// level: what one line writes and the next one replaces is not written at the default level
#include "corpus.cuh"

#include "kernel_in_header_more.hpp"

__global__ void copy(int *out, const int *in)
{
	__shared__ int kept[64];

	kept[threadIdx.x] = first(in, threadIdx.x);
	__syncthreads(); // @4
	turn(out, kept);
}

int main()
{
	int numbers[64], got[64];

	for (int i = 0; i < 64; i++)
		numbers[i] = i * i;
	int *in = device_array("in", 64, numbers), *out = device_array<int>("out", 64);
	copy<<<1, 64>>>(out, in);
	finish();
	fetch(got, out, 64);
	for (int i = 0; i < 64; i++)
		same("sum", i, got[i], (63 - i) * (63 - i) + 3);
	return verdict();
}
