/* Kernels of test_cuda_on_device.c, which has their accesses and results. */
struct line {
	int first;
	float slope;
	short step;
	const int *from;
};

__device__ int shift = 5;
__constant__ int weights[4] = { 1, 10, 100, 1000 };

extern "C" __global__ void reversed(const int *in, int *out)
{
	__shared__ int tile[8];
	extern __shared__ int spare[];
	int i = threadIdx.x, at = blockIdx.x * blockDim.x, last = blockDim.x - 1;

	tile[i] = in[at + i];
	spare[i] = 100 * i;
	__syncthreads();
	out[at + i] = tile[last - i] + spare[last - i];
}

/* Words: first and slope, step, from. */
extern "C" __global__ void along(line l, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = l.first + (int)(l.slope * (float)i) + l.step + (l.from ? 1 : 0);
}

extern "C" __global__ void weighed(int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = weights[i & 3] + shift;
	if (i == 0)
		shift += 0;
}

/* A whole float4 is read at once, also where one of its parts is used; a pointer begins as null. */
extern "C" __global__ void pieces(const float4 *in, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v = in[i];
	float *to = 0;

	if (i & 1)
		to = out + i;
	(void)in[i].z;
	if (to)
		*to = v.y;
}
