// One template, three types.
#include "corpus.h"

enum { N = 256, GROUP = 64 };

template <typename T> __global__ void axpy(T a, const T *x, T *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	y[i] = a * x[i] + y[i]; // @1
}

template <typename T> static void run(const char *x_name, const char *y_name, T a)
{
	T x[N], y[N], got[N];

	for (int i = 0; i < N; i++) {
		x[i] = (T)i;
		y[i] = (T)(3 * i + 1);
	}
	T *dx = device_array(x_name, N, x), *dy = device_array(y_name, N, y);
	axpy<T><<<N / GROUP, GROUP>>>(a, dx, dy);
	finish();
	fetch(got, dy, N);
	for (int i = 0; i < N; i++)
		same(y_name, i, got[i], (T)(a * x[i] + y[i]));
}

int main()
{
	run<float>("xf", "yf", 2.0f);
	run<double>("xd", "yd", -4.0);
	run<short>("xs", "ys", 3);
	return verdict();
}
