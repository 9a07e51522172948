// Structs as arguments, with pointers in them, arrays, and parts of odd sizes.
#include "corpus.h"

enum { N = 64 };

struct image {
	const unsigned char *pixels;
	float *out;
	int width;
	short border;
	char mode;
};

struct matrix {
	float m[4];
	struct {
		double bias;
		int *log;
	} more;
};

__global__ void shade(image im)
{
	int i = threadIdx.x;

	if (i % im.width >= im.border)
		im.out[i] = im.pixels[i] * (float)im.mode; // @1
}

__global__ void apply(int add, matrix a, const float *in, double *out)
{
	int i = threadIdx.x;

	out[i] = a.m[i & 3] * in[i] + a.more.bias; // @2
	a.more.log[i] = add + i;                   // @3
}

int main()
{
	unsigned char pixels[N];
	float shaded[N], in[N];
	double out[N];
	int log[N];

	for (int i = 0; i < N; i++) {
		pixels[i] = i * 3;
		in[i] = i;
	}
	image im = { device_array("pixels", N, pixels), device_array<float>("shaded", N), 16, 3, -2 };
	shade<<<1, N>>>(im);
	finish();
	fetch(shaded, im.out, N);
	for (int i = 0; i < N; i++)
		same("shaded", i, shaded[i], i % 16 < 3 ? 0.0f : -2.0f * pixels[i]);
	matrix a = { { 1, 2, 3, 4 }, { 0.5, device_array<int>("log", N) } };
	float *din = device_array("in", N, in);
	double *dout = device_array<double>("out", N);
	apply<<<1, N>>>(100, a, din, dout);
	finish();
	fetch(out, dout, N);
	fetch(log, a.more.log, N);
	for (int i = 0; i < N; i++) {
		same("out", i, out[i], (1 + (i & 3)) * (double)i + 0.5);
		same("log", i, log[i], 100 + i);
	}
	return verdict();
}
