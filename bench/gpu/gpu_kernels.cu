/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpu_kernels - one launch of one kernel, by its name, for scripts/validate-gpu.sh: what a GPU counts of
 * it and what a replay of its recording says are compared. Loads and stores of global memory only.
 * Without a name it lists them. Exit status 0 when the result is that of the host.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define ITEMS (1 << 18)
#define GROUP 256
#define SIDE  512 /* of matrices: SIDE * SIDE is ITEMS */

/* Each lane the next float: 4 sectors to a request. */
__global__ void copy(float *to, const float *from, const int *)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	to[i] = from[i];
}

/* Every eighth float: each lane a sector of its own. */
__global__ void stride(float *to, const float *from, const int *)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	to[i] = from[(unsigned)i * 8 % ITEMS];
}

/* Anywhere, as an index says. */
__global__ void gather(float *to, const float *from, const int *index)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	to[i] = from[index[i]];
}

/* Rows become columns: loads in order, stores a row apart. */
__global__ void transpose(float *to, const float *from, const int *)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	to[i % SIDE * SIDE + i / SIDE] = from[i];
}

/* Five points: neighbours are in lines that were there before. */
__global__ void stencil(float *to, const float *from, const int *)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % SIDE, y = i / SIDE;

	if (x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1)
		to[i] = from[i] + from[i - 1] + from[i + 1] + from[i - SIDE] + from[i + SIDE];
}

/* The first 64 rows of a product, a row of the one and a column of the other for each element. */
__global__ void matmul(float *to, const float *from, const int *)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % SIDE, y = i / SIDE;
	float sum = 0;

	if (y >= 64)
		return;
	for (int k = 0; k < SIDE; k++)
		sum += from[y * SIDE + k] * from[k * SIDE + x];
	to[i] = sum;
}

typedef void (*kernel)(float *, const float *, const int *);

static float expect(const char *name, const std::vector<float> &from, const std::vector<int> &index,
                    int i)
{
	int x = i % SIDE, y = i / SIDE;
	float sum = 0;

	if (!strcmp(name, "copy"))
		return from[i];
	if (!strcmp(name, "stride"))
		return from[(unsigned)i * 8 % ITEMS];
	if (!strcmp(name, "gather"))
		return from[index[i]];
	if (!strcmp(name, "transpose"))
		return from[x * SIDE + y];
	if (!strcmp(name, "stencil"))
		return x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1
		               ? from[i] + from[i - 1] + from[i + 1] + from[i - SIDE] + from[i + SIDE]
		               : 0;
	for (int k = 0; y < 64 && k < SIDE; k++)
		sum += from[y * SIDE + k] * from[k * SIDE + x];
	return sum;
}

static const struct {
	const char *name;
	kernel call;
} kernels[] = { { "copy", copy },           { "stride", stride },   { "gather", gather },
	        { "transpose", transpose }, { "stencil", stencil }, { "matmul", matmul } };

static int run(const char *name, kernel call)
{
	std::vector<float> from(ITEMS), to(ITEMS, 0.0F);
	std::vector<int> index(ITEMS);
	float *device_to, *device_from;
	int *device_index, wrong = 0;
	unsigned next = 1;

	/* Small whole numbers: sums of floats are exact in any order. */
	for (int i = 0; i < ITEMS; i++) {
		next = next * 1664525 + 1013904223;
		from[i] = (float)(next >> 28);
		index[i] = (int)(next >> 8) % ITEMS;
	}
	cudaMalloc(&device_to, ITEMS * sizeof(float));
	cudaMalloc(&device_from, ITEMS * sizeof(float));
	cudaMalloc(&device_index, ITEMS * sizeof(int));
	cudaMemcpy(device_to, to.data(), ITEMS * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(device_from, from.data(), ITEMS * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(device_index, index.data(), ITEMS * sizeof(int), cudaMemcpyHostToDevice);
	call<<<ITEMS / GROUP, GROUP>>>(device_to, device_from, device_index);
	if (cudaMemcpy(to.data(), device_to, ITEMS * sizeof(float), cudaMemcpyDeviceToHost)) {
		fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
		return 1;
	}
	for (int i = 0; i < ITEMS; i++)
		wrong += to[i] != expect(name, from, index, i);
	printf("%s: %d of %d wrong\n", name, wrong, ITEMS);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	for (const auto &k : kernels) {
		if (argc < 2)
			puts(k.name);
		else if (!strcmp(argv[1], k.name))
			return run(k.name, k.call);
	}
	return argc < 2 ? 0 : 2;
}
