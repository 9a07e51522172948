// A product and the sum that takes it are rounded once where one expression has both, as by nvcc, and
// twice where they are not or where it is asked for: by itself, recorded, and at each level.
// level: what one iteration reads, the next one has at the default level
#include "corpus.cuh"

enum { SUMS = 11, WIDE = 2 };

__global__ void sums(float *out, const float *in, int n)
{
	out[0] = in[0] * in[1] + in[2];            // @1
	out[1] = in[2] + in[0] * in[1];            // @2
	out[2] = in[0] * in[1] - in[3];            // @3
	out[3] = in[3] - in[0] * in[1];            // @4
	out[4] = -in[0] * in[1] - in[2];           // @5
	float sum = in[2];                         // @6
	for (int i = 0; i < n; i++)
		sum += in[i] * in[i + 1];          // @7
	out[5] = sum;                              // @8
	float product = in[0] * in[1];             // @9
	out[6] = product;                          // @10
	product = product + in[2];                 // @11
	out[7] = product;                          // @12
	out[8] = __fmul_rn(in[0], in[1]) + in[2];  // @13
	out[9] = __fadd_rn(in[0] * in[1], in[2]);  // @14
	out[10] = fmaf(in[0], in[1], in[2]);       // @15
}

__global__ void wide_sums(double *out, const double *in)
{
	out[0] = in[0] * in[1] + in[2];         // @21
	{
#pragma clang fp contract(off)
		out[1] = in[0] * in[1] + in[2]; // @22
	}
}

int main()
{
	// (1 + e) * (1 + e) is 1 + 2e + ee, of which a float that holds 1 + e rounds ee away.
	const float e = 1 / 4096.f, one[4] = { 1 + e, 1 + e, -(1 + 2 * e), 1 + 2 * e };
	const float want[SUMS] = { e * e, e * e, e * e, -e * e, -e * e, e * e, 1 + 2 * e, 0, 0, 0, e * e };
	const double d = 1 / 1073741824., two[3] = { 1 + d, 1 + d, -(1 + 2 * d) };
	const double wide_want[WIDE] = { d * d, 0 };
	float got[SUMS];
	double wide_got[WIDE];

	float *in = device_array("in", 4, one), *out = device_array<float>("out", SUMS);
	double *numbers = device_array("numbers", 3, two), *wide = device_array<double>("wide", WIDE);
	sums<<<1, 1>>>(out, in, 1);
	wide_sums<<<1, 1>>>(wide, numbers);
	finish();
	fetch(got, out, SUMS);
	fetch(wide_got, wide, WIDE);
	for (int i = 0; i < SUMS; i++)
		same("sum", i, got[i], want[i]);
	for (int i = 0; i < WIDE; i++)
		same("wide sum", i, wide_got[i], wide_want[i]);
	return verdict();
}
