// C = A B in tiles of 8 x 8, once with shared memory and once without.
#include "corpus.h"

enum { N = 24, TILE = 8 };

__global__ void tiled(const float *a, const float *b, float *c, int n)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y;
	int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
	float sum = 0;

	for (int t = 0; t < n; t += TILE) {
		as[y][x] = a[row * n + t + x]; // @1
		bs[y][x] = b[(t + y) * n + column]; // @2
		__syncthreads(); // @3
		for (int k = 0; k < TILE; k++)
			sum += as[y][k] * bs[k][x];
		__syncthreads(); // @4
	}
	c[row * n + column] = sum; // @5
}

__global__ void plain(const float *a, const float *b, float *c, int n)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + column]; // @6
	c[row * n + column] = sum; // @7
}

int main()
{
	static float a[N * N], b[N * N], want[N * N], got[N * N];

	for (int i = 0; i < N * N; i++) {
		a[i] = i % 7 - 3;
		b[i] = i % 5 - 2;
	}
	for (int i = 0; i < N * N; i++)
		for (int k = 0; k < N; k++)
			want[i] += a[i / N * N + k] * b[k * N + i % N];
	float *da = device_array("a", N * N, a), *db = device_array("b", N * N, b);
	float *dc = device_array<float>("c", N * N), *dd = device_array<float>("d", N * N);
	dim3 groups(N / TILE, N / TILE), size(TILE, TILE);
	tiled<<<groups, size>>>(da, db, dc, N);
	plain<<<groups, size>>>(da, db, dd, N);
	finish();
	fetch(got, dc, N * N);
	for (int i = 0; i < N * N; i++)
		same("tiled", i, got[i], want[i]);
	fetch(got, dd, N * N);
	for (int i = 0; i < N * N; i++)
		same("plain", i, got[i], want[i]);
	return verdict();
}
