// Running sums of each warp by shuffles up, of ints, floats and long words; and in parts of 8 lanes.
#include "corpus.h"

enum { N = 128, GROUP = 64 };

template <typename T, int WIDTH> __global__ void scan(const T *in, T *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % WIDTH;
	T value = in[i]; // @1

	for (int offset = 1; offset < WIDTH; offset *= 2) {
		T other = __shfl_up_sync(0xffffffffu, value, offset, WIDTH);

		if (lane >= offset)
			value += other;
	}
	out[i] = value; // @2
}

template <typename T, int WIDTH> static void run(const char *from, const char *to)
{
	T in[N], out[N], sum = 0;

	for (int i = 0; i < N; i++)
		in[i] = (T)(i * 5 % 23) * (sizeof(T) == 8 ? (T)1048577 * 4096 : 1);
	T *a = device_array(from, N, in), *b = device_array<T>(to, N);
	scan<T, WIDTH><<<N / GROUP, GROUP>>>(a, b);
	finish();
	fetch(out, b, N);
	for (int i = 0; i < N; i++) {
		sum = i % WIDTH ? sum + in[i] : in[i];
		same(to, i, out[i], sum);
	}
}

int main()
{
	run<int, 32>("ints", "int_sums");
	run<float, 32>("floats", "float_sums");
	run<long long, 32>("longs", "long_sums");
	run<double, 32>("doubles", "double_sums");
	run<int, 8>("eights", "eight_sums");
	return verdict();
}
