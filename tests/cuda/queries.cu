// What a program asks the runtime before it launches, and launches by what it was told.
#include "corpus.h"

enum { N = 1024 };

__global__ void fill(int *out, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = i; // @1
}

int main()
{
	static int out[N];
	cudaDeviceProp p;
	int devices = 0, device = -1, groups = 0, grid = 0, size = 0, warp = 0, driver = 0, runtime = 0;
	size_t free_bytes = 0, total_bytes = 0;
	cudaPointerAttributes facts;
	cudaFuncAttributes kernel;

	MUST(cudaGetDeviceCount(&devices));
	same("devices", 0, devices >= 1, true);
	MUST(cudaSetDevice(0));
	MUST(cudaGetDevice(&device));
	same("device", 0, device, 0);
	MUST(cudaGetDeviceProperties(&p, 0));
	same("warp", 0, p.warpSize, 32);
	same("named", 0, p.name[0] != 0, true);
	same("work-group", 0, p.maxThreadsPerBlock >= 512, true);
	same("shared", 0, p.sharedMemPerBlock >= 16384, true);
	same("processors", 0, p.multiProcessorCount >= 1, true);
	MUST(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
	same("warp", 1, warp, 32);
	MUST(cudaMemGetInfo(&free_bytes, &total_bytes));
	same("memory", 0, free_bytes > 0 && free_bytes <= total_bytes, true);
	MUST(cudaDriverGetVersion(&driver));
	MUST(cudaRuntimeGetVersion(&runtime));
	same("versions", 0, driver >= runtime && runtime >= 11000, true);
	MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&groups, fill, 128, 0));
	same("groups", 0, groups >= 1, true);
	MUST(cudaOccupancyMaxPotentialBlockSize(&grid, &size, fill, 0, 0));
	same("size", 0, grid >= 1 && size >= 32 && size % 32 == 0, true);
	MUST(cudaFuncGetAttributes(&kernel, fill));
	same("kernel", 0, kernel.maxThreadsPerBlock >= size && kernel.sharedSizeBytes == 0, true);
	int *a = device_array<int>("out", N);
	MUST(cudaPointerGetAttributes(&facts, a + 5));
	same("of the device", 0, (int)facts.type, (int)cudaMemoryTypeDevice);
	MUST(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1));
	fill<<<2, 128>>>(a, N);
	finish();
	fetch(out, a, N);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], i);
	MUST(cudaFree(a));
	MUST(cudaDeviceReset());
	return verdict();
}
