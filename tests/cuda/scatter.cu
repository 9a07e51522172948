// out[index[i]] = in[i] of bytes, shorts, words and long words.
#include "corpus.h"

enum { N = 128, GROUP = 32 };

template <typename T> __global__ void scatter(const T *in, const unsigned *index, T *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

	out[index[i]] = in[i]; // @1
}

template <typename T> static void run(const char *from, const char *to, const unsigned *dindex)
{
	T in[N], out[N];

	for (int i = 0; i < N; i++)
		in[i] = (T)(100 - i);
	T *a = device_array(from, N, in), *b = device_array<T>(to, N);
	scatter<T><<<N / GROUP, GROUP>>>(a, dindex, b);
	finish();
	fetch(out, b, N);
	for (int i = 0; i < N; i++)
		same(to, (i * 5 + 3) % N, out[(i * 5 + 3) % N], in[i]);
}

int main()
{
	unsigned index[N];

	for (int i = 0; i < N; i++)
		index[i] = (i * 5 + 3) % N; // 5 and 128 have no common factor
	unsigned *dindex = device_array("index", N, index);
	run<signed char>("in1", "out1", dindex);
	run<unsigned short>("in2", "out2", dindex);
	run<int>("in4", "out4", dindex);
	run<long long>("in8", "out8", dindex);
	return verdict();
}
