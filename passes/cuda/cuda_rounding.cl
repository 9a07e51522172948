/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions and arithmetic with a named rounding mode: rn to nearest, ties to even; rz to zero,
 * rd down, ru up. Part of cuda_library.cl.
 *
 * OpenCL C arithmetic only rounds to nearest. The exact error of the rounded result is found
 * (Dekker, Numer. Math. 18, 1971: sums; fused multiply-add: products, quotients, roots), and the
 * result is moved to its neighbour where the rounding mode requires the other one.
 */
enum { RN, RZ, RD, RU };

/* ---- Neighbours of finite numbers; of infinities, inwards. ---- */

INLINE float below_f(float x)
{
	if (x == 0.0f)
		return as_float(0x80000001u);
	return as_float(as_int(x) + (x > 0.0f ? -1 : 1));
}

INLINE float above_f(float x)
{
	return -below_f(-x);
}

INLINE double below_d(double x)
{
	if (x == 0.0)
		return as_double(0x8000000000000001ul);
	return as_double(as_long(x) + (x > 0.0 ? -1 : 1));
}

INLINE double above_d(double x)
{
	return -below_d(-x);
}

/* Adjust a number rounded to nearest; `more` is the sign of (exact value - x). */
INLINE float moved_f(float x, int more, int rounding)
{
	if (more < 0 && (rounding == RD || (rounding == RZ && x > 0.0f)))
		return below_f(x);
	if (more > 0 && (rounding == RU || (rounding == RZ && x < 0.0f)))
		return above_f(x);
	return x;
}

INLINE double moved_d(double x, int more, int rounding)
{
	if (more < 0 && (rounding == RD || (rounding == RZ && x > 0.0)))
		return below_d(x);
	if (more > 0 && (rounding == RU || (rounding == RZ && x < 0.0)))
		return above_d(x);
	return x;
}

INLINE int sign_of(double x)
{
	return x > 0.0 ? 1 : x < 0.0 ? -1 : 0;
}

/* ---- Conversions. ---- */

INLINE float narrow(double x, int rounding)
{
	float f = (float)x;

	return moved_f(f, x > (double)f ? 1 : x < (double)f ? -1 : 0, rounding);
}

INLINE double whole(double x, int rounding)
{
	return rounding == RN ? rint(x) : rounding == RZ ? trunc(x) : rounding == RD ? floor(x) : ceil(x);
}

/* To integers: out-of-range values are clamped; `nan` is the result for NaN. */
#define TO_INTEGER(from, name, type, least, most, limit, nan, mode, rounding)                      \
	type CUDA(name##mode)(from x)                                                              \
	{                                                                                          \
		double w = whole(x, rounding);                                                     \
                                                                                                   \
		if (isnan(w))                                                                      \
			return nan;                                                                \
		return w <= (double)(least) ? least : w >= limit ? most : (type)w;                 \
	}

#define TO_INTEGERS(mode, rounding)                                                                \
	TO_INTEGER(float, float2int, int, INT_MIN, INT_MAX, 0x1p31, 0, mode, rounding)             \
	TO_INTEGER(float, float2uint, uint, 0u, UINT_MAX, 0x1p32, 0u, mode, rounding)              \
	TO_INTEGER(float, float2ll, long, LONG_MIN, LONG_MAX, 0x1p63, LONG_MIN, mode, rounding)    \
	TO_INTEGER(float, float2ull, ulong, 0ul, ULONG_MAX, 0x1p64, 1ul << 63, mode, rounding)     \
	TO_INTEGER(double, double2int, int, INT_MIN, INT_MAX, 0x1p31, INT_MIN, mode, rounding)     \
	TO_INTEGER(double, double2uint, uint, 0u, UINT_MAX, 0x1p32, 1u << 31, mode, rounding)      \
	TO_INTEGER(double, double2ll, long, LONG_MIN, LONG_MAX, 0x1p63, LONG_MIN, mode, rounding)  \
	TO_INTEGER(double, double2ull, ulong, 0ul, ULONG_MAX, 0x1p64, 1ul << 63, mode, rounding)

TO_INTEGERS(_rn, RN)
TO_INTEGERS(_rz, RZ)
TO_INTEGERS(_rd, RD)
TO_INTEGERS(_ru, RU)

/* The sign of (integer - a whole number near it), where that may be 2^63 or 2^64. */
INLINE int more_than(long x, double w)
{
	return w >= 0x1p63 || x < (long)w ? -1 : x > (long)w ? 1 : 0;
}

INLINE int more_than_u(ulong x, double w)
{
	return w >= 0x1p64 || x < (ulong)w ? -1 : x > (ulong)w ? 1 : 0;
}

#define FROM_INTEGERS(mode, rounding)                                                              \
	float CUDA(int2float##mode)(int x)                                                         \
	{                                                                                          \
		return narrow((double)x, rounding);                                                \
	}                                                                                          \
	float CUDA(uint2float##mode)(uint x)                                                       \
	{                                                                                          \
		return narrow((double)x, rounding);                                                \
	}                                                                                          \
	float CUDA(ll2float##mode)(long x)                                                         \
	{                                                                                          \
		return moved_f((float)x, more_than(x, (double)(float)x), rounding);                \
	}                                                                                          \
	float CUDA(ull2float##mode)(ulong x)                                                       \
	{                                                                                          \
		return moved_f((float)x, more_than_u(x, (double)(float)x), rounding);              \
	}                                                                                          \
	double CUDA(int2double##mode)(int x)                                                       \
	{                                                                                          \
		return (double)x;                                                                  \
	}                                                                                          \
	double CUDA(uint2double##mode)(uint x)                                                     \
	{                                                                                          \
		return (double)x;                                                                  \
	}                                                                                          \
	double CUDA(ll2double##mode)(long x)                                                       \
	{                                                                                          \
		return moved_d((double)x, more_than(x, (double)x), rounding);                      \
	}                                                                                          \
	double CUDA(ull2double##mode)(ulong x)                                                     \
	{                                                                                          \
		return moved_d((double)x, more_than_u(x, (double)x), rounding);                    \
	}                                                                                          \
	float CUDA(double2float##mode)(double x)                                                   \
	{                                                                                          \
		return narrow(x, rounding);                                                        \
	}

FROM_INTEGERS(_rn, RN)
FROM_INTEGERS(_rz, RZ)
FROM_INTEGERS(_rd, RD)
FROM_INTEGERS(_ru, RU)

/* ---- Sums, products, quotients and roots. ---- */

/* a + b - s, where s is a + b rounded. */
INLINE double error_of_sum(double a, double b, double s)
{
	double part = s - a;

	return (a - (s - part)) + (b - part);
}

/* A sum that is exactly 0 is -0 when rounding down, except +0 plus +0. */
INLINE double zero_sum(double a, double b, double s, int rounding)
{
	if (rounding == RD && s == 0.0 && (as_long(a) < 0 || as_long(b) < 0 || a != 0.0))
		return -0.0;
	return s;
}

/* Round to odd: a double between two floats stays between them, whatever its error was. */
INLINE double odd(double x, int more)
{
	if (!more || isnan(x) || isinf(x) || (as_long(x) & 1))
		return x;
	return more > 0 ? above_d(x) : below_d(x);
}

INLINE float add_f(double a, double b, int rounding)
{
	double s = a + b;

	if (isnan(s) || isinf(s))
		return (float)s;
	if (s == 0.0)
		return (float)zero_sum(a, b, s, rounding);
	return narrow(odd(s, sign_of(error_of_sum(a, b, s))), rounding);
}

INLINE float div_f(double a, double b, int rounding)
{
	double q = a / b;

	if (isnan(q) || isinf(q) || q == 0.0 || isinf(b))
		return (float)q;
	return narrow(odd(q, sign_of(fma(-q, b, a)) * sign_of(b)), rounding);
}

INLINE float sqrt_f(double x, int rounding)
{
	double s = sqrt(x);

	if (isnan(s) || isinf(s) || s == 0.0)
		return (float)s;
	return narrow(odd(s, sign_of(fma(-s, s, x))), rounding);
}

/* An infinite result of finite operands exceeds the exact one. */
INLINE int beyond(double x)
{
	return x > 0.0 ? -1 : 1;
}

INLINE double add_d(double a, double b, int rounding)
{
	double s = a + b;

	if (isnan(s) || isinf(a) || isinf(b))
		return s;
	if (isinf(s))
		return moved_d(s, beyond(s), rounding);
	if (s == 0.0)
		return zero_sum(a, b, s, rounding);
	return moved_d(s, sign_of(error_of_sum(a, b, s)), rounding);
}

/* The sign of (a * b - p), where p is a * b rounded. Small products are scaled, because their
 * errors are not representable. */
INLINE int more_than_product(double a, double b, double p)
{
	if (p == 0.0)
		return sign_of(a) * sign_of(b);
	if (fabs(p) < 0x1p-900) {
		if (fabs(a) < fabs(b))
			a *= 0x1p600;
		else
			b *= 0x1p600;
		p *= 0x1p600;
	}
	return sign_of(fma(a, b, -p));
}

INLINE double mul_d(double a, double b, int rounding)
{
	double p = a * b;

	if (isnan(p) || isinf(a) || isinf(b) || a == 0.0 || b == 0.0)
		return p;
	return moved_d(p, isinf(p) ? beyond(p) : more_than_product(a, b, p), rounding);
}

INLINE double div_d(double a, double b, int rounding)
{
	double q = a / b, scale = fabs(a) < 0x1p600 && fabs(b) < 0x1p600 ? 0x1p300 : 1.0;

	if (isnan(q) || isinf(a) || isinf(b) || a == 0.0 || b == 0.0)
		return q;
	if (isinf(q))
		return moved_d(q, beyond(q), rounding);
	return moved_d(q, sign_of(fma(-q, b * scale, a * scale)) * sign_of(b), rounding);
}

INLINE double sqrt_d(double x, int rounding)
{
	double s = sqrt(x), scale = x < 0x1p-600 ? 0x1p300 : 1.0;

	if (isnan(s) || isinf(s) || s == 0.0)
		return s;
	return moved_d(s, sign_of(fma(-s * scale, s * scale, x * scale * scale)), rounding);
}

/* a * b + c = s + se + pe exactly; everything is scaled where the product is small. */
INLINE int more_than_fma(double a, double b, double c, double r)
{
	double p = a * b, pe, s, se, t, u, ue, v;

	if (fabs(p) < 0x1p-800 && fabs(c) >= 0x1p-700)
		return sign_of(a) * sign_of(b);
	if (fabs(p) < 0x1p-800) {
		if (fabs(a) < fabs(b))
			a *= 0x1p600;
		else
			b *= 0x1p600;
		c *= 0x1p600;
		r *= 0x1p600;
		p = a * b;
		if (fabs(p) < 0x1p-900) /* c is far larger */
			return sign_of(a) * sign_of(b);
	}
	pe = fma(a, b, -p);
	s = p + c;
	se = error_of_sum(p, c, s);
	t = s - r;
	u = t + se;
	ue = error_of_sum(t, se, u);
	v = u + pe;
	return sign_of(v + (error_of_sum(u, pe, v) + ue));
}

INLINE double fma_d(double a, double b, double c, int rounding)
{
	double r = fma(a, b, c), p = a * b;

	if (isnan(r) || isinf(a) || isinf(b) || isinf(c))
		return r;
	if (isinf(r))
		return moved_d(r, beyond(r), rounding);
	if (isinf(p)) /* scaled by a quarter to avoid overflow */
		return moved_d(r, more_than_fma(a * 0.25, b, c * 0.25, r * 0.25), rounding);
	if (a == 0.0 || b == 0.0)
		return r == 0.0 ? zero_sum(p, c, r, rounding) : r;
	if (r == 0.0 && p == -c)
		return more_than_product(a, b, p) ? moved_d(r, more_than_product(a, b, p), rounding)
		                                  : zero_sum(p, c, r, rounding);
	return moved_d(r, more_than_fma(a, b, c, r), rounding);
}

#define ARITHMETIC(mode, rounding)                                                                 \
	float CUDA(fadd##mode)(float a, float b)                                                   \
	{                                                                                          \
		return add_f(a, b, rounding);                                                      \
	}                                                                                          \
	float CUDA(fsub##mode)(float a, float b)                                                   \
	{                                                                                          \
		return add_f(a, -b, rounding);                                                     \
	}                                                                                          \
	float CUDA(fmul##mode)(float a, float b)                                                   \
	{                                                                                          \
		return narrow((double)a * (double)b, rounding);                                    \
	}                                                                                          \
	float CUDA(fdiv##mode)(float a, float b)                                                   \
	{                                                                                          \
		return div_f(a, b, rounding);                                                      \
	}                                                                                          \
	float CUDA(frcp##mode)(float x)                                                            \
	{                                                                                          \
		return div_f(1.0, x, rounding);                                                    \
	}                                                                                          \
	float CUDA(fsqrt##mode)(float x)                                                           \
	{                                                                                          \
		return sqrt_f(x, rounding);                                                        \
	}                                                                                          \
	float CUDA(fmaf##mode)(float a, float b, float c)                                          \
	{                                                                                          \
		return add_f((double)a * (double)b, c, rounding);                                  \
	}                                                                                          \
	double CUDA(dadd##mode)(double a, double b)                                                \
	{                                                                                          \
		return add_d(a, b, rounding);                                                      \
	}                                                                                          \
	double CUDA(dsub##mode)(double a, double b)                                                \
	{                                                                                          \
		return add_d(a, -b, rounding);                                                     \
	}                                                                                          \
	double CUDA(dmul##mode)(double a, double b)                                                \
	{                                                                                          \
		return mul_d(a, b, rounding);                                                      \
	}                                                                                          \
	double CUDA(ddiv##mode)(double a, double b)                                                \
	{                                                                                          \
		return div_d(a, b, rounding);                                                      \
	}                                                                                          \
	double CUDA(drcp##mode)(double x)                                                          \
	{                                                                                          \
		return div_d(1.0, x, rounding);                                                    \
	}                                                                                          \
	double CUDA(dsqrt##mode)(double x)                                                         \
	{                                                                                          \
		return sqrt_d(x, rounding);                                                        \
	}                                                                                          \
	double CUDA(fma##mode)(double a, double b, double c)                                       \
	{                                                                                          \
		return fma_d(a, b, c, rounding);                                                   \
	}

ARITHMETIC(_rz, RZ)
ARITHMETIC(_rd, RD)
ARITHMETIC(_ru, RU)

/* All arithmetic rounds to nearest; these are never contracted. */
#define NEAREST(letter, type)                                                                      \
	type CUDA(letter##add_rn)(type a, type b)                                                  \
	{                                                                                          \
		return a + b;                                                                      \
	}                                                                                          \
	type CUDA(letter##sub_rn)(type a, type b)                                                  \
	{                                                                                          \
		return a - b;                                                                      \
	}                                                                                          \
	type CUDA(letter##mul_rn)(type a, type b)                                                  \
	{                                                                                          \
		return a * b;                                                                      \
	}                                                                                          \
	type CUDA(letter##div_rn)(type a, type b)                                                  \
	{                                                                                          \
		return a / b;                                                                      \
	}                                                                                          \
	type CUDA(letter##rcp_rn)(type x)                                                          \
	{                                                                                          \
		return 1 / x;                                                                      \
	}

NEAREST(f, float)
NEAREST(d, double)
