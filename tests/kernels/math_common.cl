// Floating-point builtins: common, geometric, relational, and the transcendental ones.
// inexact: geometric transcendental trigonometric powers special natives math_vectors math_doubles results
// run: common        64 16 : float[64]=random float[64]=random float[512]=zero
// run: geometric     32 8 : float[128]=random float[128]=random float[256]=zero
// run: relational    64 16 : float[64]=random(-1,2) float[64]=random(-1,2) int[64]=zero
// run: exact_math    64 16 : float[64]=random float[64]=random(1,5) float[1024]=zero
// run: transcendental 64 16 : float[64]=random(0,8) float[512]=zero
// run: trigonometric 64 16 : float[64]=random(-1,1) float[704]=zero
// run: powers        64 16 : float[64]=random(1,5) float[64]=random float[384]=zero
// run: special       64 16 : float[64]=random(1,6) float[384]=zero
// run: natives       64 16 : float[64]=random(1,6) float[704]=zero
// run: results       64 16 : float[64]=random float[512]=zero int[192]=zero
// run: math_vectors  32 8 : float[128]=random(1,6) float[128]=zero
// run: math_doubles  32 8 : double[32]=random(1,6) double[256]=zero

__kernel void common(__global const float *a, __global const float *b, __global float *c)
{
	int i = get_global_id(0);
	float x = a[i], y = b[i];

	c[8 * i] = clamp(x, -2.0f, 3.0f);
	c[8 * i + 1] = max(x, y) - min(x, y);
	c[8 * i + 2] = sign(x);
	c[8 * i + 3] = step(0.5f, x);
	c[8 * i + 4] = mix(x, y, 0.25f);
	c[8 * i + 5] = degrees(0.0f) + radians(0.0f);
	c[8 * i + 6] = smoothstep(0.0f, 1.0f, x > 0.0f ? 2.0f : -2.0f);
	c[8 * i + 7] = fmax(x, 1.0f) + fmin(y, -1.0f) + fabs(x);
}

__kernel void geometric(__global const float4 *a, __global const float4 *b, __global float *c)
{
	int i = get_global_id(0);
	float4 x = a[i], y = b[i];

	c[8 * i] = dot(x, y);
	c[8 * i + 1] = length(x);
	c[8 * i + 2] = distance(x.xyz, y.xyz);
	c[8 * i + 3] = normalize(x).y;
	c[8 * i + 4] = fast_length(x);
	c[8 * i + 5] = fast_distance(x.xy, y.xy);
	vstore2(cross(x, y).xz, 0, c + 8 * i + 6);
}

__kernel void relational(__global const float *a, __global const float *b, __global int *c)
{
	int i = get_global_id(0);
	float x = a[i], y = b[i], zero = x - x;
	int4 v = isless((float4)(x, y, x, 0.5f), (float4)(y, x, 0.0f, 0.5f));

	c[i] = isequal(x, y) + 2 * isnotequal(x, y) + 4 * isgreater(x, y) +
	       8 * islessequal(x, 0.5f) + 16 * isfinite(y) + 32 * isnan(y) + 64 * signbit(x) +
	       128 * isinf(1.0f / zero) + 256 * isordered(x, y) + 512 * any(v) + 1024 * all(v) +
	       2048 * islessgreater(x, y) + 4096 * isnormal(x) + (int)select(0.0f, 8192.0f, x < y) +
	       (int)(bitselect(as_uint(x), as_uint(y), 0xffff0000u) >> 17);
}

__kernel void exact_math(__global const float *a, __global const float *b, __global float *c)
{
	int i = get_global_id(0);
	float x = a[i], y = b[i];

	c += 16 * i;
	c[0] = floor(x);
	c[1] = ceil(x);
	c[2] = trunc(x);
	c[3] = rint(x);
	c[4] = round(x);
	c[5] = fmod(x, y);
	c[6] = remainder(x, y);
	c[7] = copysign(y, x);
	c[8] = fdim(x, y);
	c[9] = sqrt(y * y);
	c[10] = ldexp(y, 3);
	c[11] = logb(y) + (float)ilogb(y);
	c[12] = nextafter(x, 100.0f);
	c[13] = fma(x, y, 0.5f);
	c[14] = maxmag(x, y);
	c[15] = minmag(x, y) + nan(5u) * 0.0f == 0.0f ? 1.0f : 2.0f;
}

__kernel void transcendental(__global const float *a, __global float *c)
{
	int i = get_global_id(0);
	float x = a[i];

	c += 8 * i;
	c[0] = exp(x);
	c[1] = exp2(x) + exp10(x);
	c[2] = expm1(x);
	c[3] = log(x + 1.0f);
	c[4] = log2(x + 1.0f) + log10(x + 2.0f);
	c[5] = log1p(x);
	c[6] = sinh(x) + cosh(x) + tanh(x);
	c[7] = asinh(x) + acosh(x + 1.0f) + atanh(x / 16.0f);
}

__kernel void trigonometric(__global const float *a, __global float *c)
{
	int i = get_global_id(0);
	float x = a[i];

	c += 11 * i;
	c[0] = sin(x);
	c[1] = cos(x);
	c[2] = tan(x);
	c[3] = asin(x);
	c[4] = acos(x);
	c[5] = atan(x);
	c[6] = atan2(x, 2.0f);
	c[7] = sinpi(x) + cospi(x);
	c[8] = tanpi(x / 3.0f);
	c[9] = asinpi(x) + acospi(x);
	c[10] = atanpi(x) + atan2pi(x, -1.0f);
}

__kernel void powers(__global const float *a, __global const float *b, __global float *c)
{
	int i = get_global_id(0);
	float x = a[i], y = b[i];

	c += 6 * i;
	c[0] = pow(x, y);
	c[1] = pown(x, i % 7 - 3);
	c[2] = powr(x, y);
	c[3] = rootn(x, 3);
	c[4] = cbrt(x) + sqrt(x) + rsqrt(x);
	c[5] = hypot(x, y) + mad(x, y, 1.0f);
}

__kernel void special(__global const float *a, __global float *c)
{
	int i = get_global_id(0);
	float x = a[i];

	c += 6 * i;
	c[0] = erf(x) + erfc(x);
	c[1] = tgamma(x);
	c[2] = lgamma(x);
	c[3] = x / 3.0f;
	c[4] = 1.0f / x;
	c[5] = x * x - x / 7.0f;
}

__kernel void natives(__global const float *a, __global float *c)
{
	int i = get_global_id(0);
	float x = a[i];

	c += 11 * i;
	c[0] = native_sin(x) + native_cos(x);
	c[1] = native_exp(x);
	c[2] = native_log(x) + native_log2(x);
	c[3] = native_sqrt(x) + native_rsqrt(x);
	c[4] = native_recip(x) + native_divide(x, 3.0f);
	c[5] = native_powr(x, 1.5f);
	c[6] = half_sin(x) + half_cos(x);
	c[7] = half_exp(x);
	c[8] = half_log(x);
	c[9] = half_sqrt(x) + half_rsqrt(x);
	c[10] = half_recip(x) + half_divide(x, 3.0f) + half_powr(x, 1.5f);
}

/* Second results through pointers, into memory that is not private too. */
__kernel void results(__global const float *a, __global float *c, __global int *d)
{
	int i = get_global_id(0), e, q;
	float x = a[i], whole, cosine;

	c += 8 * i;
	c[0] = fract(x, &whole);
	c[1] = whole;
	c[2] = modf(x, &c[3]);
	c[4] = frexp(x, &e);
	c[5] = sincos(x, &cosine);
	c[6] = cosine;
	c[7] = remquo(x, 1.5f, &q);
	d[3 * i] = e;
	d[3 * i + 1] = q & 7;
	c[0] += frexp(x, &d[3 * i + 2]) + lgamma_r(x + 20.0f, &e);
}

__kernel void math_vectors(__global const float4 *a, __global float4 *b)
{
	int i = get_global_id(0);

	b[i] = sin(a[i]) + pow(a[i], (float4)(2.0f, 0.5f, 1.0f, -1.0f)) + fmax(a[i], 2.0f) +
	       clamp(a[i], 1.0f, 3.0f);
}

__kernel void math_doubles(__global const double *a, __global double *c)
{
	int i = get_global_id(0);
	double x = a[i];

	c += 8 * i;
	c[0] = sqrt(x);
	c[1] = sin(x) + cos(x);
	c[2] = exp(x) + log(x);
	c[3] = floor(x * 1.5) + fma(x, x, 0.25);
	c[4] = pow(x, 1.25);
	c[5] = fabs(-x) + fmin(x, 2.0);
	c[6] = convert_double(convert_int_rte(x));
	c[7] = hypot(x, 3.0) + atan2(x, 2.0);
}
