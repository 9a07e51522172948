// A kernel that reads a texture is refused, by name; the program's other kernel runs.
// says: texture
// refused: the kernel that reads a texture
#include "corpus.cuh"

enum { N = 64 };

__global__ void fetches(cudaTextureObject_t texture, float *out)
{
	out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

__global__ void plain(const float *in, float *out)
{
	out[threadIdx.x] = in[threadIdx.x]; // @1
}

int main()
{
	float in[N], out[N];
	cudaTextureObject_t texture = 0;
	cudaResourceDesc from = {};
	cudaTextureDesc how = {};

	for (int i = 0; i < N; i++)
		in[i] = i;
	float *a = device_array("in", N, in), *b = device_array<float>("out", N);
	from.resType = cudaResourceTypeLinear;
	from.res.linear.devPtr = a;
	from.res.linear.desc = cudaCreateChannelDesc<float>();
	from.res.linear.sizeInBytes = sizeof(in);
	how.readMode = cudaReadModeElementType;
	same("no texture", 0, (int)cudaCreateTextureObject(&texture, &from, &how, NULL),
	     (int)cudaErrorNotSupported);
	cudaGetLastError();
	fetches<<<1, N>>>(texture, b);
	same("not launched", 0, cudaGetLastError() != cudaSuccess, true);
	plain<<<1, N>>>(a, b);
	finish();
	fetch(out, b, N);
	for (int i = 0; i < N; i++)
		same("out", i, out[i], in[i]);
	return verdict();
}
