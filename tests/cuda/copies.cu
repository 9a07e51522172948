// Copies of rectangles, of device to device, and memory that is set: with a kernel between.
#include "corpus.h"

enum { WIDTH = 20, HEIGHT = 12 };

__global__ void rows(const int *in, size_t pitch, int *out)
{
	const int *row = (const int *)((const char *)in + blockIdx.x * pitch);

	out[blockIdx.x * WIDTH + threadIdx.x] = row[threadIdx.x] + 1; // @1
}

int main()
{
	int in[HEIGHT][WIDTH], out[HEIGHT][WIDTH], part[4][5];
	size_t pitch;
	int *pitched;

	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			in[y][x] = 100 * y + x;
	MUST(cudaMallocPitch((void **)&pitched, &pitch, WIDTH * sizeof(int), HEIGHT));
	same("pitch", 0, pitch >= WIDTH * sizeof(int) && pitch % 32 == 0, true);
	show("pitched", pitched, pitch * HEIGHT);
	printf("number pitch %zu\n", pitch);
	MUST(cudaMemcpy2D(pitched, pitch, in, WIDTH * sizeof(int), WIDTH * sizeof(int), HEIGHT,
	                  cudaMemcpyHostToDevice));
	int *flat = device_array<int>("flat", WIDTH * HEIGHT);
	rows<<<HEIGHT, WIDTH>>>(pitched, pitch, flat);
	finish();
	fetch(&out[0][0], flat, WIDTH * HEIGHT);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			same("flat", y * WIDTH + x, out[y][x], in[y][x] + 1);
	MUST(cudaMemcpy2D(part, sizeof(part[0]), (char *)pitched + 3 * pitch + 8, pitch, sizeof(part[0]), 4,
	                  cudaMemcpyDeviceToHost));
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 5; x++)
			same("part", y * 5 + x, part[y][x], in[y + 3][x + 2]);
	MUST(cudaMemset2D(pitched, pitch, 0xff, 3 * sizeof(int), 2));
	MUST(cudaMemcpy2D(flat, WIDTH * sizeof(int), pitched, pitch, WIDTH * sizeof(int), HEIGHT,
	                  cudaMemcpyDeviceToDevice));
	MUST(cudaMemset(flat + WIDTH * 11, 1, 2 * sizeof(int)));
	MUST(cudaMemcpy(flat + WIDTH * 5, flat + WIDTH * 6, WIDTH * sizeof(int), cudaMemcpyDefault));
	fetch(&out[0][0], flat, WIDTH * HEIGHT);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			int want = in[y == 5 ? 6 : y][x];

			want = y < 2 && x < 3 ? -1 : want;
			want = y == 11 && x < 2 ? 0x01010101 : want;
			same("copied", y * WIDTH + x, out[y][x], want);
		}
	MUST(cudaFree(pitched));
	MUST(cudaFree(flat));
	return verdict();
}
