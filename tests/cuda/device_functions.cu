// Functions, templates of them, methods, operators, a functor as argument: all of it inlined.
#include "corpus.h"

enum { N = 64 };

struct grid_view {
	float *at;
	int width;

	__device__ float &operator()(int x, int y) const { return at[y * width + x]; }
	__device__ int rows(int n) const { return n / width; }
};

struct scaled {
	float by;

	__host__ __device__ float operator()(float x) const { return by * x; }
};

template <typename F> __device__ void each(const grid_view &v, int x, int rows, F f)
{
	for (int y = 0; y < rows; y++)
		v(x, y) = f(v(x, y)); // @5
}

template <int K> __device__ __noinline__ int power(int x)
{
	return x * power<K - 1>(x);
}

template <> __device__ __noinline__ int power<0>(int)
{
	return 1;
}

__device__ void swap(int *a, int *b)
{
	int t = *a; // @1

	*a = *b; // @2
	*b = t;  // @3
}

__global__ void methods(grid_view v, scaled f)
{
	each(v, threadIdx.x, v.rows(N), f);
}

__global__ void functions(int *a)
{
	int i = threadIdx.x;

	swap(&a[i], &a[N - 1 - i]);
	a[N + i] = power<3>(i); // @4
}

int main()
{
	float in[N], out[N];
	int words[N + N / 2], got[N + N / 2];
	scaled f = { 3 };

	for (int i = 0; i < N; i++)
		in[i] = i;
	for (int i = 0; i < N + N / 2; i++)
		words[i] = i;
	grid_view v = { device_array("view", N, in), 16 };
	methods<<<1, 16>>>(v, f);
	finish();
	fetch(out, v.at, N);
	for (int i = 0; i < N; i++)
		same("view", i, out[i], f(in[i]));
	int *a = device_array("words", N + N / 2, words);
	functions<<<1, N / 2>>>(a);
	finish();
	fetch(got, a, N + N / 2);
	for (int i = 0; i < N; i++)
		same("swapped", i, got[i], N - 1 - i);
	for (int i = 0; i < N / 2; i++)
		same("power", i, got[N + i], i * i * i);
	return verdict();
}
