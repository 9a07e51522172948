// Kernels of test_ptx_round_trip.c. No variables of the device: a launch is one of OpenCL's.
#define SIDE 4

extern "C" __global__ void gather(int *out, const int *in, const int *index, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = in[index[i]];
}

extern "C" __global__ void multiply(float *c, const float *a, const float *b, int n)
{
	__shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
	int row = blockIdx.y * SIDE + threadIdx.y, column = blockIdx.x * SIDE + threadIdx.x;
	float sum = 0;

	for (int t = 0; t < n / SIDE; t++) {
		left[threadIdx.y][threadIdx.x] = a[row * n + t * SIDE + threadIdx.x];
		right[threadIdx.y][threadIdx.x] = b[(t * SIDE + threadIdx.y) * n + column];
		__syncthreads();
		for (int k = 0; k < SIDE; k++)
			sum += left[threadIdx.y][k] * right[k][threadIdx.x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}

extern "C" __global__ void histogram(int *bins, const int *in, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[in[i] & 7], 1);
}

extern "C" __global__ void rows(double *out, const double *in, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double sum = 0;

	for (int r = 0; r < m; r++)
		for (int c = 0; c < n; c++)
			sum += in[(i * m + r) * n + c];
	if (sum > 40)
		out[i] = sum;
}
