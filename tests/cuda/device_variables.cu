// Variables of the device: with initial values, changed by kernels and by the host; one that holds the
// address of another.
// level: what was just written is not read at the default level
#include "corpus.cuh"

enum { N = 32 };

__device__ int table[N] = { 5, 4, 3, 2, 1 };
__device__ unsigned total;
__device__ int *cursor = &table[2];
static __device__ float factor = 1.5f;

__global__ void change()
{
	int i = threadIdx.x;

	table[i] += i;              // @1
	atomicAdd(&total, table[i]); // @2
}

__global__ void use(float *out)
{
	int i = threadIdx.x;

	out[i] = factor * cursor[i % 4]; // @3
	__syncthreads(); // @4
	if (i == 0)
		cursor = table; // @5
}

int main()
{
	int first[N] = { 5, 4, 3, 2, 1 }, got[N];
	unsigned sum = 0, seen;
	float out[N], five = 5;
	void *address, *back;
	size_t bytes;

	MUST(cudaGetSymbolAddress(&address, table));
	show("table", address, sizeof(table));
	MUST(cudaGetSymbolSize(&bytes, table));
	same("size", 0, bytes, sizeof(table));
	MUST(cudaGetSymbolAddress(&back, total));
	show("total", back, sizeof(total));
	MUST(cudaGetSymbolAddress(&back, factor));
	show("factor", back, sizeof(factor));
	MUST(cudaGetSymbolAddress(&back, cursor));
	show("cursor", back, sizeof(cursor));

	change<<<1, N>>>();
	finish();
	MUST(cudaMemcpyFromSymbol(got, table, sizeof(got)));
	MUST(cudaMemcpyFromSymbol(&seen, total, sizeof(seen)));
	for (int i = 0; i < N; i++) {
		same("table", i, got[i], first[i] + i);
		sum += first[i] + i;
	}
	same("total", 0, seen, sum);

	float *b = device_array<float>("out", N);
	use<<<1, N>>>(b);
	finish();
	fetch(out, b, N);
	MUST(cudaMemcpyFromSymbol(&back, cursor, sizeof(back)));
	same("cursor is the table's address", 0, back == address, true);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], 1.5f * got[2 + i % 4]);
	MUST(cudaMemcpyToSymbol(factor, &five, sizeof(five)));
	use<<<1, N>>>(b);
	finish();
	fetch(out, b, N);
	for (int i = 0; i < N; i++)
		same("out after", i, out[i], 5 * (float)got[i % 4]);
	return verdict();
}
