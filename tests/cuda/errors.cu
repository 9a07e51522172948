// What goes wrong, and what the runtime says then: launches, memory, symbols, pointers.
#include "corpus.h"

__global__ void one(int *out)
{
	out[0] = 1; // @1
}

int main()
{
	int *a = device_array<int>("a", 4), *huge, got = 0;

	one<<<1, 4096>>>(a);
	same("too many", 0, (int)cudaPeekAtLastError(), (int)cudaErrorInvalidConfiguration);
	same("too many", 1, (int)cudaGetLastError(), (int)cudaErrorInvalidConfiguration);
	same("forgotten", 0, (int)cudaGetLastError(), (int)cudaSuccess);
	one<<<0, 1>>>(a);
	same("none", 0, (int)cudaGetLastError(), (int)cudaErrorInvalidConfiguration);
	one<<<1, 1, 1 << 30>>>(a);
	same("too much shared", 0, cudaGetLastError() != cudaSuccess, true);
	same("too large", 0, (int)cudaMalloc((void **)&huge, (size_t)1 << 60),
	     (int)cudaErrorMemoryAllocation);
	cudaGetLastError();
	same("no direction", 0, (int)cudaMemcpy(&got, a, 4, (cudaMemcpyKind)77),
	     (int)cudaErrorInvalidMemcpyDirection);
	cudaGetLastError();
	same("no device", 0, (int)cudaSetDevice(99), (int)cudaErrorInvalidDevice);
	cudaGetLastError();
	same("free of NULL", 0, (int)cudaFree(NULL), (int)cudaSuccess);
	same("name", 0, strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"), 0);
	same("sentence", 0, strcmp(cudaGetErrorString(cudaSuccess), "no error"), 0);
	one<<<1, 1>>>(a);
	finish();
	fetch(&got, a, 1);
	same("still works", 0, got, 1);
	return verdict();
}
