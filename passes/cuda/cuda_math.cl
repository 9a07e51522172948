/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mathematical functions that OpenCL C lacks. Part of cuda_library.cl.
 *
 * Formula numbers refer to the NIST Digital Library of Mathematical Functions,
 * https://dlmf.nist.gov. Float functions are the double ones, rounded.
 */
#define BOTH(name)                                                                                 \
	float CUDA(name##f)(float x)                                                               \
	{                                                                                          \
		return (float)warpline_cuda_##name((double)x);                                     \
	}

#define TWO_BY_ROOT_PI 1.1283791670955126
#define ROOT_PI        1.7724538509055160
#define HALF_ROOT_2    0.70710678118654752
#define HALF_ROOT_2_LO (-4.8336466567264567e-17) /* the difference from its double */
#define EULER          0.57721566490153286

/* ---- Norms, roots. ---- */

#define NORMS(type, f)                                                                             \
	type CUDA(rhypot##f)(type a, type b)                                                       \
	{                                                                                          \
		return 1 / hypot(a, b);                                                            \
	}                                                                                          \
	type CUDA(norm3d##f)(type a, type b, type c)                                               \
	{                                                                                          \
		return hypot(hypot(a, b), c);                                                      \
	}                                                                                          \
	type CUDA(rnorm3d##f)(type a, type b, type c)                                              \
	{                                                                                          \
		return 1 / hypot(hypot(a, b), c);                                                  \
	}                                                                                          \
	type CUDA(norm4d##f)(type a, type b, type c, type d)                                       \
	{                                                                                          \
		return hypot(hypot(a, b), hypot(c, d));                                            \
	}                                                                                          \
	type CUDA(rnorm4d##f)(type a, type b, type c, type d)                                      \
	{                                                                                          \
		return 1 / hypot(hypot(a, b), hypot(c, d));                                        \
	}                                                                                          \
	type CUDA(rcbrt##f)(type x)                                                                \
	{                                                                                          \
		return 1 / cbrt(x);                                                                \
	}

NORMS(float, f)
NORMS(double, )

float CUDA(frsqrt_rn)(float x)
{
	return (float)(1.0 / sqrt((double)x));
}

/* As in hardware: through logarithms, which negative numbers do not have. */
float CUDA(fast_powf)(float x, float y)
{
	return exp2(y * log2(x));
}

/* ---- Error functions and their inverses. ---- */

/* The factor of exp(-x^2) / (x sqrt(pi)) in 7.12.1, for x >= 20. */
INLINE double erfc_far(double x)
{
	double inverse = 0.5 / (x * x), sum = 1.0, term = 1.0;

	for (int k = 1; k < 8; k++) {
		term *= -(2.0 * k - 1.0) * inverse;
		sum += term;
	}
	return sum;
}

/* Inverse of the complementary error function for 0 < x <= 1: Winitzki's approximation, then
 * Halley's method. */
INLINE double erfc_inverse(double x)
{
	double l = log(x * (2.0 - x)), t = 4.3307467508 + 0.5 * l;
	double y = sqrt(sqrt(t * t - l / 0.147) - t);

	if (x < 1e-200) { /* too small for erfc() itself */
		for (int i = 0; i < 8; i++)
			y = sqrt(log(erfc_far(y) / (y * ROOT_PI)) - log(x));
		return y;
	}
	for (int i = 0; i < 4; i++) {
		double u = (x - erfc(y)) / (TWO_BY_ROOT_PI * exp(-y * y));

		y -= u / (1.0 + y * u);
	}
	return y;
}

double CUDA(erfcinv)(double x)
{
	if (!(x >= 0.0 && x <= 2.0))
		return NAN;
	if (x == 0.0 || x == 2.0)
		return x == 0.0 ? INFINITY : -INFINITY;
	return x == 1.0 ? 0.0 : x < 1.0 ? erfc_inverse(x) : -erfc_inverse(2.0 - x);
}

double CUDA(erfinv)(double x)
{
	double a = fabs(x), y;

	if (!(a <= 1.0) || a == 0.0)
		return a == 0.0 ? x : NAN;
	if (a == 1.0)
		return x * INFINITY;
	if (a > 0.5)
		return copysign(erfc_inverse(1.0 - a), x);
	y = a * 0.5 * ROOT_PI;
	for (int i = 0; i < 5; i++) {
		double u = (erf(y) - a) / (TWO_BY_ROOT_PI * exp(-y * y));

		y -= u / (1.0 + y * u);
	}
	return copysign(y, x);
}

/* exp(x^2) erfc(x) */
double CUDA(erfcx)(double x)
{
	double square = x * x, rest = fma(x, x, -square);

	if (x < -26.7)
		return INFINITY;
	if (x < 20.0)
		return exp(square) * (1.0 + rest) * erfc(x);
	return erfc_far(x) / (x * ROOT_PI);
}

double CUDA(normcdf)(double x)
{
	double h = -x * HALF_ROOT_2, l;

	if (isnan(x) || isinf(x) || fabs(x) > 39.0)
		return isnan(x) ? x : x > 0.0 ? 1.0 : 0.0;
	l = fma(-x, HALF_ROOT_2, -h) - x * HALF_ROOT_2_LO;
	return 0.5 * (erfc(h) - TWO_BY_ROOT_PI * exp(-h * h) * l);
}

double CUDA(normcdfinv)(double x)
{
	return -1.4142135623730951 * warpline_cuda_erfcinv(2.0 * x);
}

/* ---- Bessel functions. ---- */

/* Modified, of order 0 and 1: 10.25.2 for small x, 10.40.1 for large x. */
INLINE double bessel_i(int n, double x)
{
	double q = 0.25 * x * x, term = n ? 0.5 * x : 1.0, sum = term, mu = 4.0 * n * n;

	if (x > 800.0)
		return INFINITY;
	if (x < 30.0) {
		for (int k = 1; k < 80; k++) {
			term *= q / ((double)k * (k + n));
			sum += term;
		}
		return sum;
	}
	term = sum = 1.0;
	for (int k = 1; k < 20; k++) {
		double odd = 2.0 * k - 1.0;

		term *= -(mu - odd * odd) / (8.0 * k * x);
		sum += term;
	}
	return exp(0.5 * x) * sum / sqrt(2.0 * M_PI * x) * exp(0.5 * x);
}

double CUDA(cyl_bessel_i0)(double x)
{
	return isnan(x) || isinf(x) ? fabs(x) : bessel_i(0, fabs(x));
}

double CUDA(cyl_bessel_i1)(double x)
{
	return isnan(x) || isinf(x) ? x : copysign(bessel_i(1, fabs(x)), x);
}

/* Order 0 or 1 of the first and second kind for x >= 25: 10.17.3 and 10.17.4. */
INLINE double2 bessel_far(int n, double x)
{
	double mu = 4.0 * n * n, term = 1.0, p = 1.0, q = 0.0;
	double s = sin(x), c = cos(x), cosine, sine, scale = sqrt(2.0 / (M_PI * x));

	for (int k = 1; k < 24; k++) {
		double odd = 2.0 * k - 1.0;

		term *= (mu - odd * odd) / (8.0 * k * x);
		if (k & 1)
			q += k & 2 ? -term : term;
		else
			p += k & 2 ? -term : term;
	}
	/* The angle is x - pi/4, minus pi/2 for order 1. */
	cosine = (c + s) * M_SQRT1_2;
	sine = (s - c) * M_SQRT1_2;
	if (n) {
		double quarter = cosine;

		cosine = sine;
		sine = -quarter;
	}
	return (double2)(cosine * p - sine * q, sine * p + cosine * q) * scale;
}

/*
 * J_n for x > 0 by Miller's method (3.6(iii), 10.74(iv)); Y_0 by the sum over all even orders,
 * 9.1.89 of Abramowitz and Stegun; Y_1 = -Y_0' from its derivative.
 */
struct bessel {
	double jn, j0, j1, y0, y1;
};

INLINE struct bessel bessel_near(int n, double x)
{
	struct bessel b;
	double above = 0.0, here = 1e-290, sum = 0.0, even = 0.0, odd = 0.0, below;
	int first = (int)(fmax(x, (double)n) + 12.0 * cbrt(x)) + 40;

	b.jn = b.j0 = b.j1 = 0.0;
	for (int k = first | 1; k >= 0; k--) {
		int half_k = k / 2;

		if (k == n)
			b.jn = here;
		if (k == 1)
			b.j1 = here;
		if (k & 1) {
			if (half_k)
				odd += (half_k & 1 ? -here : here) * k / ((double)half_k * (half_k + 1));
		} else {
			sum += k ? 2.0 * here : here;
			if (half_k)
				even += (half_k & 1 ? -here : here) / half_k;
		}
		if (!k)
			break;
		below = 2.0 * k / x * here - above;
		above = here;
		here = below;
		if (fabs(here) > 1e200) {
			here *= 1e-250;
			above *= 1e-250;
			sum *= 1e-250;
			even *= 1e-250;
			odd *= 1e-250;
			b.jn *= 1e-250;
			b.j1 *= 1e-250;
		}
	}
	b.jn /= sum;
	b.j0 = here / sum;
	b.j1 /= sum;
	b.y0 = M_2_PI * ((log(x) - M_LN2 + EULER) * b.j0 - 2.0 * even / sum);
	b.y1 = M_2_PI * ((log(x) - M_LN2 + EULER - 1.0) * b.j1 - b.j0 / x - odd / sum);
	return b;
}

INLINE double bessel_j(int n, double x)
{
	double a = fabs(x), below, here, above;

	if (n < 0 || isnan(x))
		return NAN;
	if (a == 0.0 || isinf(a) || n > 2.0 * a + 400.0) /* the last is below 10^-300 */
		return a == 0.0 && n == 0 ? 1.0 : 0.0;
	if (a < 1e-8)
		here = n == 0 ? 1.0 : n == 1 ? 0.5 * a : exp(n * log(0.5 * a) - lgamma(n + 1.0));
	else if (a < 25.0 || n >= a) {
		here = bessel_near(n, a).jn;
	} else {
		below = bessel_far(0, a).x;
		here = n ? bessel_far(1, a).x : below;
		for (int k = 1; k < n; k++) {
			above = 2.0 * k / a * here - below;
			below = here;
			here = above;
		}
	}
	return x < 0.0 && (n & 1) ? -here : here;
}

INLINE double bessel_y(int n, double x)
{
	double below, here, above;
	struct bessel b;

	if (n < 0 || !(x >= 0.0))
		return NAN;
	if (x == 0.0 || isinf(x))
		return x == 0.0 ? -INFINITY : 0.0;
	if (x < 1e-8) {
		below = M_2_PI * (log(x) - M_LN2 + EULER);
		here = -M_2_PI / x;
	} else if (x < 25.0) {
		b = bessel_near(0, x);
		below = b.y0;
		here = b.y1;
	} else {
		below = bessel_far(0, x).y;
		here = bessel_far(1, x).y;
	}
	if (n == 0)
		return below;
	for (int k = 1; k < n && here > -INFINITY; k++) {
		above = 2.0 * k / x * here - below;
		below = here;
		here = above;
	}
	return here;
}

double CUDA(j0)(double x)
{
	return bessel_j(0, x);
}

double CUDA(j1)(double x)
{
	return bessel_j(1, x);
}

double CUDA(y0)(double x)
{
	return bessel_y(0, x);
}

double CUDA(y1)(double x)
{
	return bessel_y(1, x);
}

double CUDA(jn)(int n, double x)
{
	return bessel_j(n, x);
}

double CUDA(yn)(int n, double x)
{
	return bessel_y(n, x);
}

float CUDA(jnf)(int n, float x)
{
	return (float)bessel_j(n, x);
}

float CUDA(ynf)(int n, float x)
{
	return (float)bessel_y(n, x);
}

BOTH(j0)
BOTH(j1)
BOTH(y0)
BOTH(y1)
BOTH(cyl_bessel_i0)
BOTH(cyl_bessel_i1)
BOTH(erfinv)
BOTH(erfcinv)
BOTH(erfcx)
BOTH(normcdf)
BOTH(normcdfinv)
