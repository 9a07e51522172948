// Constant memory: an array filled by the host, a struct, a table with values of its own.
// record: --spaces constant
// level: neighbouring numbers of a structure are one access of 8 bytes at the default level
#include "corpus.cuh"

enum { N = 64, TAPS = 5 };

struct window {
	float scale;
	int shift;
	double offset;
};

__constant__ float taps[TAPS];
__constant__ window view;
__constant__ int primes[4] = { 2, 3, 5, 7 };

__global__ void filter(const float *in, float *out)
{
	int i = threadIdx.x;
	float sum = 0;

	for (int k = 0; k < TAPS; k++)
		sum += taps[k] * in[i + k]; // @1
	out[i] = sum; // @2
}

__global__ void look(const int *in, double *out)
{
	int i = threadIdx.x;

	out[i] = view.scale * (in[i] << view.shift) + view.offset // @3
		+ primes[in[i] & 3]; // @4
}

int main()
{
	float in[N + TAPS], out[N], coefficients[TAPS] = { 0, 0.5f, 1, 0.5f, 0.25f };
	int words[N], first_primes[4] = { 2, 3, 5, 7 };
	double seen[N];
	window w = { 1.5f, 3, 0.125 };
	void *address;

	for (int i = 0; i < N + TAPS; i++)
		in[i] = i;
	for (int i = 0; i < N; i++)
		words[i] = i * 11;
	MUST(cudaMemcpyToSymbol(taps, coefficients, sizeof(float), sizeof(float), cudaMemcpyHostToDevice));
	MUST(cudaMemcpyToSymbol(taps, coefficients, sizeof(coefficients)));
	MUST(cudaMemcpyToSymbol(view, &w, sizeof(w)));
	MUST(cudaGetSymbolAddress(&address, taps));
	show("taps", address, sizeof(taps));
	MUST(cudaGetSymbolAddress(&address, view));
	show("view", address, sizeof(view));
	MUST(cudaGetSymbolAddress(&address, primes));
	show("primes", address, sizeof(primes));
	float *a = device_array("in", N + TAPS, in), *b = device_array<float>("out", N);
	int *c = device_array("words", N, words);
	double *d = device_array<double>("seen", N);
	filter<<<1, N>>>(a, b);
	look<<<1, N>>>(c, d);
	finish();
	fetch(out, b, N);
	fetch(seen, d, N);
	for (int i = 0; i < N; i++) {
		float sum = 0;

		for (int k = 0; k < TAPS; k++)
			sum += coefficients[k] * in[i + k];
		same("out", i, out[i], sum);
		same("seen", i, seen[i], 1.5 * (words[i] << 3) + 0.125 + first_primes[words[i] & 3]);
	}
	return verdict();
}
