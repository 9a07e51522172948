// Grids and groups of two and three dimensions.
#include "corpus.h"

enum { WIDTH = 40, HEIGHT = 20, NX = 8, NY = 6, NZ = 4 };

__global__ void plane(int *out, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < width && y < height)
		out[y * width + x] = 1000 * y + x; // @1
}

__global__ void volume(int *out)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int z = blockIdx.z * blockDim.z + threadIdx.z;
	int nx = gridDim.x * blockDim.x, ny = gridDim.y * blockDim.y;

	out[(z * ny + y) * nx + x] = // @2
		x + 10 * y + 100 * z + 1000 * (gridDim.z * blockDim.z);
}

int main()
{
	static int got[WIDTH * HEIGHT], cube[NX * NY * NZ];
	int *flat = device_array<int>("plane", WIDTH * HEIGHT);
	int *deep = device_array<int>("volume", NX * NY * NZ);

	plane<<<dim3(3, 3), dim3(16, 8)>>>(flat, WIDTH, HEIGHT);
	finish();
	fetch(got, flat, WIDTH * HEIGHT);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			same("plane", y * WIDTH + x, got[y * WIDTH + x], 1000 * y + x);
	volume<<<dim3(2, 3, 2), dim3(4, 2, 2)>>>(deep);
	finish();
	fetch(cube, deep, NX * NY * NZ);
	for (int i = 0; i < NX * NY * NZ; i++)
		same("volume", i, cube[i],
		     i % NX + 10 * (i / NX % NY) + 100 * (i / NX / NY) + 1000 * NZ);
	return verdict();
}
