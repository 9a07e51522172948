// SPDX-License-Identifier: Apache-2.0
// A matrix is transposed: rows are read, columns are written. docs/cuda.md follows it from here to
// the report.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void transpose(const float *in, float *out, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < width && y < height)
		out[x * height + y] = in[y * width + x];
}

static void check(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
	std::exit(1);
}

int main()
{
	const int width = 128, height = 64, count = width * height;
	std::vector<float> in(count), out(count);
	float *device_in, *device_out;
	int wrong = 0;

	for (int i = 0; i < count; i++)
		in[i] = float(i);
	check(cudaMalloc(&device_in, count * sizeof(float)), "cudaMalloc");
	check(cudaMalloc(&device_out, count * sizeof(float)), "cudaMalloc");
	check(cudaMemcpy(device_in, in.data(), count * sizeof(float), cudaMemcpyHostToDevice),
	      "cudaMemcpy");
	transpose<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(device_in, device_out, width, height);
	check(cudaMemcpy(out.data(), device_out, count * sizeof(float), cudaMemcpyDeviceToHost),
	      "cudaMemcpy");
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			wrong += out[x * height + y] != in[y * width + x];
	cudaFree(device_in);
	cudaFree(device_out);
	std::printf("%d of %d elements are wrong\n", wrong, count);
	return wrong != 0;
}
