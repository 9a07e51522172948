/*
 * Known problems and their cures in CUDA's words: problems_cuda KERNEL prints the checksum of what
 * the kernel computes. `// fault: NAME` marks the line that a report on the pair NAME must name.
 */
#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 512, COUNT = SIDE * SIDE, GROUP = 256 };

struct particle {
	float x, y, z, mass, vx, vy, vz, charge;
};

__global__ void transpose_direct(const float *in, float *out)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	out[x * SIDE + y] = in[y * SIDE + x]; // fault: cuda-transpose
}

/* 32x8 threads, tiles of 32x32. */
__global__ void transpose_tiled(const float *in, float *out)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32, y = blockIdx.y * 32;

	for (int k = threadIdx.y; k < 32; k += 8)
		tile[k][threadIdx.x] = in[(y + k) * SIDE + x + threadIdx.x];
	__syncthreads();
	for (int k = threadIdx.y; k < 32; k += 8)
		out[(x + k) * SIDE + y + threadIdx.x] = tile[threadIdx.x][k];
}

__global__ void transpose_unpadded(const float *in, float *out)
{
	__shared__ float tile[32][32];
	int x = blockIdx.x * 32, y = blockIdx.y * 32;

	for (int k = threadIdx.y; k < 32; k += 8)
		tile[k][threadIdx.x] = in[(y + k) * SIDE + x + threadIdx.x];
	__syncthreads();
	for (int k = threadIdx.y; k < 32; k += 8)
		out[(x + k) * SIDE + y + threadIdx.x] = tile[threadIdx.x][k]; // fault: cuda-banks
}

__global__ void sum_of_structures(const particle *p, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = p[i].x + p[i].y + p[i].z; // fault: cuda-structures
}

__global__ void sum_of_arrays(const float *x, const float *y, const float *z, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = x[i] + y[i] + z[i];
}

__global__ void sum_interleaved(const unsigned *in, unsigned *out)
{
	__shared__ unsigned sum[GROUP];
	unsigned tid = threadIdx.x;

	sum[tid] = in[blockIdx.x * blockDim.x + tid];
	for (unsigned apart = 1; apart < GROUP; apart *= 2) {
		unsigned at = 2 * apart * tid;

		__syncthreads();
		if (at < GROUP)
			sum[at] += sum[at + apart]; // fault: cuda-shuffle
	}
	if (tid == 0)
		out[blockIdx.x] = sum[0];
}

__device__ unsigned warp_sum(unsigned value)
{
	for (int apart = 16; apart > 0; apart /= 2)
		value += __shfl_down_sync(~0u, value, apart);
	return value;
}

__global__ void sum_shuffled(const unsigned *in, unsigned *out)
{
	__shared__ unsigned sums[GROUP / 32];
	unsigned tid = threadIdx.x;
	unsigned value = warp_sum(in[blockIdx.x * blockDim.x + tid]);

	if (tid % 32 == 0)
		sums[tid / 32] = value;
	__syncthreads();
	if (tid < 32) {
		value = warp_sum(tid < GROUP / 32 ? sums[tid] : 0);
		if (tid == 0)
			out[blockIdx.x] = value;
	}
}

__global__ void count_each(const unsigned *in, unsigned *odd)
{
	if (in[blockIdx.x * blockDim.x + threadIdx.x] & 1)
		atomicAdd(odd, 1); // fault: cuda-aggregate
}

/* One atomic for a warp. */
__global__ void count_by_warp(const unsigned *in, unsigned *odd)
{
	unsigned is_odd = in[blockIdx.x * blockDim.x + threadIdx.x] & 1;
	unsigned votes = __ballot_sync(~0u, is_odd);

	if (threadIdx.x % 32 == 0)
		atomicAdd(odd, __popc(votes));
}

static unsigned value_at(unsigned place)
{
	unsigned z = (place + 1) * 2654435761u;

	return (z ^ (z >> 15)) * 2246822519u >> 8;
}

static void must(cudaError_t error)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "problems_cuda: %s\n", cudaGetErrorString(error));
	exit(1);
}

template <typename T> static T *on_device(const T *from, size_t count)
{
	T *array;

	must(cudaMalloc((void **)&array, count * sizeof(T)));
	must(cudaMemcpy(array, from, count * sizeof(T), cudaMemcpyHostToDevice));
	return array;
}

static void print_checksum(const unsigned *values, size_t count)
{
	unsigned long long sum = 14695981039346656037ull;

	for (size_t i = 0; i < count; i++)
		sum = (sum ^ values[i]) * 1099511628211ull;
	printf("values=%zu checksum=%016llx\n", count, sum);
}

static float numbers[COUNT * 8], by_field[3][COUNT];
static unsigned words[COUNT], results[COUNT];

int main(int argc, char **argv)
{
	const char *kernel = argc == 2 ? argv[1] : "";
	const dim3 tiles(SIDE / 32, SIDE / 32), sites(SIDE / 32, SIDE / 8), shape(32, 8);

	for (unsigned i = 0; i < COUNT * 8; i++)
		numbers[i] = (float)(value_at(i) % 8);
	for (unsigned i = 0; i < COUNT; i++) {
		words[i] = value_at(i);
		for (unsigned field = 0; field < 3; field++)
			by_field[field][i] = numbers[i * 8 + field];
	}
	float *in = on_device(numbers, COUNT * 8);
	unsigned *word = on_device(words, COUNT), *out = on_device(results, COUNT);

	if (!strcmp(kernel, "transpose_direct"))
		transpose_direct<<<sites, shape>>>(in, (float *)out);
	else if (!strcmp(kernel, "transpose_tiled"))
		transpose_tiled<<<tiles, shape>>>(in, (float *)out);
	else if (!strcmp(kernel, "transpose_unpadded"))
		transpose_unpadded<<<tiles, shape>>>(in, (float *)out);
	else if (!strcmp(kernel, "sum_of_structures"))
		sum_of_structures<<<COUNT / GROUP, GROUP>>>((const particle *)in, (float *)out);
	else if (!strcmp(kernel, "sum_of_arrays"))
		sum_of_arrays<<<COUNT / GROUP, GROUP>>>(on_device(by_field[0], COUNT), on_device(by_field[1], COUNT),
		                                        on_device(by_field[2], COUNT), (float *)out);
	else if (!strcmp(kernel, "sum_interleaved"))
		sum_interleaved<<<COUNT / GROUP, GROUP>>>(word, out);
	else if (!strcmp(kernel, "sum_shuffled"))
		sum_shuffled<<<COUNT / GROUP, GROUP>>>(word, out);
	else if (!strcmp(kernel, "count_each"))
		count_each<<<COUNT / GROUP, GROUP>>>(word, out);
	else if (!strcmp(kernel, "count_by_warp"))
		count_by_warp<<<COUNT / GROUP, GROUP>>>(word, out);
	else
		return fprintf(stderr, "problems_cuda: there is no kernel '%s'\n", kernel) < 0 ? 1 : 2;
	must(cudaGetLastError());
	must(cudaMemcpy(results, out, sizeof(results), cudaMemcpyDeviceToHost));
	print_checksum(results, COUNT);
	return 0;
}
