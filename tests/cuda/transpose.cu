// A matrix turned through a tile with a padded row, 32 x 8 work-items a tile.
// record: --spaces local
#include "corpus.h"

enum { N = 64, TILE = 32, ROWS = 8 };

__global__ void transpose(float *out, const float *in)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	for (int j = 0; j < TILE; j += ROWS)
		tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * N + x]; // @1
	__syncthreads(); // @2
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS)
		out[(y + j) * N + x] = tile[threadIdx.x][threadIdx.y + j]; // @3
}

int main()
{
	static float in[N * N], out[N * N];

	for (int i = 0; i < N * N; i++)
		in[i] = i;
	float *b = device_array<float>("out", N * N), *a = device_array("in", N * N, in);
	transpose<<<dim3(N / TILE, N / TILE), dim3(TILE, ROWS)>>>(b, a);
	finish();
	fetch(out, b, N * N);
	for (int i = 0; i < N * N; i++)
		same("out", i, out[i], in[i % N * N + i / N]);
	return verdict();
}
