// Mathematics in single precision, exact and fast, and in double.
#include "corpus.h"

#include <math.h>

enum { N = 64, F = 12 };

__global__ void functions(const float *in, float *out)
{
	int i = threadIdx.x;
	float x = in[i]; // @1
	float sine, cosine;

	sincosf(x, &sine, &cosine);
	out[F * i] = sinf(x) + cosf(x);     // @2
	out[F * i + 1] = expf(x) / logf(x + 2); // @3
	out[F * i + 2] = sqrtf(x) + rsqrtf(x + 1); // @4
	out[F * i + 3] = powf(x, 1.5f);     // @5
	out[F * i + 4] = floorf(x) + ceilf(x) + rintf(x) + truncf(-x); // @6
	out[F * i + 5] = fminf(x, 2) + fmaxf(x, 1) + fabsf(-x) + fmodf(x, 0.75f); // @7
	out[F * i + 6] = __expf(x) + __sinf(x); // @8
	out[F * i + 7] = atan2f(x, 2) + tanhf(x) + cbrtf(x); // @9
	out[F * i + 8] = sine * cosine;     // @10
	out[F * i + 9] = (float)(sin((double)x) + exp((double)-x)); // @11
	out[F * i + 10] = __fdividef(x, 3) + __saturatef(x - 1) + copysignf(x, -1); // @12
	out[F * i + 11] = (float)(__float2int_rn(x) + (int)isnan(x) + (int)isinf(x)); // @13
}

int main()
{
	float in[N], out[F * N];

	for (int i = 0; i < N; i++)
		in[i] = 0.0625f * i;
	float *a = device_array("in", N, in), *b = device_array<float>("out", F * N);
	functions<<<1, N>>>(a, b);
	finish();
	fetch(out, b, F * N);
	for (int i = 0; i < N; i++) {
		double x = in[i], want[F] = {
			sin(x) + cos(x),
			exp(x) / log(x + 2),
			sqrt(x) + 1 / sqrt(x + 1),
			pow(x, 1.5),
			floor(x) + ceil(x) + rint(x) + trunc(-x),
			fmin(x, 2) + fmax(x, 1) + x + fmod(x, 0.75),
			exp(x) + sin(x),
			atan2(x, 2) + tanh(x) + cbrt(x),
			sin(x) * cos(x),
			sin(x) + exp(-x),
			x / 3 + fmin(fmax(x - 1, 0), 1) - x,
			rint(x),
		};

		for (int k = 0; k < F; k++)
			near("out", F * i + k, (double)out[F * i + k], want[k], 1e-5 * (1 + fabs(want[k])));
	}
	return verdict();
}
