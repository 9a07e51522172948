// As local_sample.cl, of CUDA: 64 thread blocks, which wait for one another's threads and warps in a loop.
#include <cstdio>

__global__ void sums(int *out, const int *in)
{
	__shared__ int part[64];
	int l = threadIdx.x, i = blockIdx.x * 64 + l;

	part[l] = in[i];
	__syncthreads();
	for (int s = 32; s > 0; s /= 2) {
		if (l < s)
			part[l] += part[l + s];
		__syncthreads();
	}
	out[i] = __shfl_down_sync(~0u, part[0] + l, 1);
}

int main()
{
	static int values[4096];
	unsigned sum = 0;
	int *in, *out;

	for (int i = 0; i < 4096; i++)
		values[i] = i * 7 % 101;
	cudaMalloc(&in, sizeof(values));
	cudaMalloc(&out, sizeof(values));
	cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
	sums<<<64, 64>>>(out, in);
	cudaMemcpy(values, out, sizeof(values), cudaMemcpyDeviceToHost);
	for (int i = 0; i < 4096; i++)
		sum = sum * 31 + values[i];
	printf("%x\n", sum);
	return 0;
}
