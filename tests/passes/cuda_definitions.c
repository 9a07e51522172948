/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_definitions.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

typedef float type_f;
typedef double type_d;
typedef uint32_t type_i;
typedef uint64_t type_l;
typedef uint16_t type_h;

#define MODE(mode, expression)                                                                     \
	(fesetround(mode), held = (expression), fesetround(FE_TONEAREST), held)
static volatile double held;

static int32_t si(uint32_t x)
{
	return (int32_t)x;
}

static int64_t sl(uint64_t x)
{
	return (int64_t)x;
}

static uint32_t bits_of_float(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static uint64_t bits_of_double(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static double double_of_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static int64_t extended(uint32_t x, unsigned bits)
{
	int64_t value = x & ((1u << bits) - 1);

	return value >> (bits - 1) & 1 ? value - ((int64_t)1 << bits) : value;
}

static int highest(uint64_t x)
{
	int at = 63;

	while (at >= 0 && !(x >> at & 1))
		at--;
	return at;
}

static uint32_t lowest(uint64_t x)
{
	for (uint32_t at = 0; at < 64; at++)
		if (x >> at & 1)
			return at + 1;
	return 0;
}

static uint32_t bits_in(uint64_t x)
{
	uint32_t count = 0;

	for (unsigned at = 0; at < 64; at++)
		count += (uint32_t)(x >> at & 1);
	return count;
}

static uint64_t mirrored(uint64_t x, unsigned bits)
{
	uint64_t result = 0;

	for (unsigned at = 0; at < bits; at++)
		result |= (x >> at & 1) << (bits - 1 - at);
	return result;
}

static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector, uint32_t used)
{
	uint8_t bytes[8];
	uint32_t result = 0;

	memcpy(bytes, &a, 4);
	memcpy(bytes + 4, &b, 4);
	for (unsigned i = 0; i < 4; i++) {
		uint32_t s = selector >> 4 * i & used;
		uint32_t byte = bytes[s & 7];

		if (s & 8)
			byte = byte >= 128 ? 255 : 0;
		result |= byte << 8 * i;
	}
	return result;
}

/* The n-th bit that is set from `base` on: PTX ISA, fns. */
static uint32_t nth_set(uint32_t mask, uint32_t base, int n)
{
	unsigned found = 0, wanted = n < 0 ? 0 - (unsigned)n : (unsigned)n;

	if (n == 0)
		return mask >> base & 1 ? base : ~0u;
	for (int at = (int)base; at >= 0 && at < 32; at += n < 0 ? -1 : 1)
		if ((mask >> at & 1) && ++found == wanted)
			return (uint32_t)at;
	return ~0u;
}

/* What is no number counts as missing; -0 is less than 0 (PTX ISA, min). */
static double least_of(double x, double y)
{
	if (isnan(x) || isnan(y))
		return isnan(x) ? y : x;
	return x < y || (x == y && signbit(x)) ? x : y;
}

/* A whole number as an integer: the nearest end where it is too far (PTX ISA, cvt). */
static uint64_t to_integer(double x, unsigned bits, int is_signed, int is_wide)
{
	double most = ldexp(1.0, (int)bits - is_signed), least = is_signed ? -most : 0.0;
	uint64_t all = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;

	if (isnan(x))
		return is_wide ? (uint64_t)1 << (bits - 1) : 0;
	if (x >= most)
		return is_signed ? all >> 1 : all;
	if (x <= least)
		return is_signed ? (all >> 1) + 1 : 0;
	return x < 0 ? (uint64_t)(int64_t)x & all : (uint64_t)x;
}

static int ilogb_of_c(double x)
{
	if (isnan(x) || x == 0)
		return INT32_MIN;
	return isinf(x) ? INT32_MAX : ilogb(x);
}

static float float_of_half(uint16_t h)
{
	int exponent = h >> 10 & 31, fraction = h & 1023;
	double x = exponent == 31 ? (fraction ? NAN : INFINITY)
	           : exponent     ? ldexp(1024 + fraction, exponent - 25)
	                          : ldexp(fraction, -24);

	return (float)(h & 0x8000 ? -x : x);
}

/* The nearest of all halves; of two the even one. 65520 is as near to what would come behind 65504.
 */
static uint16_t half_of(float x)
{
	uint16_t sign = signbit(x) ? 0x8000 : 0, best = 0;
	double wanted = fabs((double)x);

	if (isnan(x))
		return 0x7fff;
	if (wanted >= 65520)
		return (uint16_t)(sign | 0x7c00);
	for (uint16_t step = 0x4000; step; step /= 2)
		if (best + step < 0x7c00 &&
		    (double)float_of_half((uint16_t)(best + step)) <= wanted)
			best = (uint16_t)(best + step);
	if (best < 0x7bff) {
		double below = wanted - (double)float_of_half(best);
		double above = (double)float_of_half((uint16_t)(best + 1)) - wanted;

		if (above < below || (above == below && (best & 1)))
			best++;
	}
	return (uint16_t)(sign | best);
}

static double y0_of_c(double x)
{
	return x < 0 ? NAN : y0(x);
}

static double y1_of_c(double x)
{
	return x < 0 ? NAN : y1(x);
}

/* By its integral, (1/pi) times that of exp(x cos t) cos(n t) from 0 to pi, as a sum over equal
 * steps: exact to the last place where there are more steps than x. */
static double modified_bessel(int n, double x)
{
	long double sum = 0, pi = acosl(-1.0L);
	int steps;

	if (isnan(x) || fabs(x) > 750)
		return n ? x * HUGE_VAL : fabs(x) * HUGE_VAL;
	steps = 80 + (int)fabs(x);
	for (int i = 0; i <= steps; i++) {
		long double t = pi * i / steps;

		sum += expl((long double)x * cosl(t)) * cosl(n * t) * (i % steps ? 1 : 0.5L);
	}
	return (double)(sum / steps);
}

/* exp(x^2) erfc(x), far out by its continued fraction. */
static double scaled_erfc(double x)
{
	long double fraction = 0, wide_x = x;

	if (isnan(x))
		return x;
	if (x < 20)
		return x < -27 ? HUGE_VAL : (double)(expl(wide_x * wide_x) * erfcl(wide_x));
	for (int k = 200; k; k--)
		fraction = 0.5L * k / (wide_x + fraction);
	return (double)(1 / ((wide_x + fraction) * sqrtl(acosl(-1.0L))));
}

/* By bisection. */
static double inverse_erfc(double x)
{
	long double low = -30, high = 30;

	if (!(x >= 0 && x <= 2))
		return NAN;
	if (x == 0 || x == 2)
		return x == 0 ? HUGE_VAL : -HUGE_VAL;
	for (int i = 0; i < 72; i++) {
		long double middle = (low + high) / 2;

		*(erfcl(middle) > (long double)x ? &low : &high) = middle;
	}
	return (double)low;
}

static double inverse_erf(double x)
{
	long double low = -30, high = 30;

	if (!(fabs(x) <= 1))
		return NAN;
	if (fabs(x) == 1)
		return x * HUGE_VAL;
	if (x > 0.5)
		return inverse_erfc(1 - x);
	for (int i = 0; i < 72; i++) {
		long double middle = (low + high) / 2;

		*(erfl(middle) < (long double)x ? &low : &high) = middle;
	}
	return (double)low;
}

static float as_f(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float x;

	memcpy(&x, &low, sizeof(x));
	return x;
}

static double as_d(uint64_t bits)
{
	return double_of_bits(bits);
}

static uint16_t as_h(uint64_t bits)
{
	return (uint16_t)bits;
}

static uint32_t as_i(uint64_t bits)
{
	return (uint32_t)bits;
}

static uint64_t as_l(uint64_t bits)
{
	return bits;
}

/* The arguments as x, y and z, by the letters of the parameters; volatile, so that what is computed
 * of them is computed while the rounding is what MODE() says. */
#define GIVEN_1(a) volatile type_##a x = as_##a(arguments[0])
#define GIVEN_2(a, b)                                                                              \
	GIVEN_1(a);                                                                                \
	volatile type_##b y = as_##b(arguments[1])
#define GIVEN_3(a, b, c)                                                                           \
	GIVEN_2(a, b);                                                                             \
	volatile type_##c z = as_##c(arguments[2])
#define GIVEN_f   GIVEN_1(f)
#define GIVEN_ff  GIVEN_2(f, f)
#define GIVEN_fff GIVEN_3(f, f, f)
#define GIVEN_fi  GIVEN_2(f, i)
#define GIVEN_d   GIVEN_1(d)
#define GIVEN_dd  GIVEN_2(d, d)
#define GIVEN_ddd GIVEN_3(d, d, d)
#define GIVEN_di  GIVEN_2(d, i)
#define GIVEN_i   GIVEN_1(i)
#define GIVEN_ii  GIVEN_2(i, i)
#define GIVEN_iii GIVEN_3(i, i, i)
#define GIVEN_l   GIVEN_1(l)
#define GIVEN_ll  GIVEN_2(l, l)
#define GIVEN_li  GIVEN_2(l, i)
#define GIVEN_h   GIVEN_1(h)

/* NOLINTBEGIN(readability-function-size,readability-function-cognitive-complexity): a row, a case
 */
uint64_t cuda_definition_evaluate(size_t number, const uint64_t *arguments)
{
	enum { BEFORE = __COUNTER__ };
	uint64_t bits = 0;

	switch (number + BEFORE + 1) {
#define FUNCTION(name, result, parameters, tolerance, expression)                                  \
	case __COUNTER__: {                                                                        \
		GIVEN_##parameters;                                                                \
		type_##result value = (type_##result)(expression);                                 \
                                                                                                   \
		memcpy(&bits, &value, sizeof(value));                                              \
		break;                                                                             \
	}
#include "cuda_functions.def"
#undef FUNCTION
	default:
		break;
	}
	return bits;
}
/* NOLINTEND(readability-function-size,readability-function-cognitive-complexity) */

const struct cuda_definition cuda_definitions[] = {
#define FUNCTION(name, result, parameters, tolerance, expression)                                  \
	{ name, #parameters, tolerance, #result[0] },
#include "cuda_functions.def"
#undef FUNCTION
};

const size_t cuda_definition_count = sizeof(cuda_definitions) / sizeof(cuda_definitions[0]);

/* Bits of a number in the order of the numbers. */
static int64_t ordered(char letter, uint64_t bits)
{
	int64_t value = letter == 'f' ? (int32_t)(uint32_t)bits : (int64_t)bits;
	int64_t least = letter == 'f' ? INT32_MIN : INT64_MIN;

	return value < 0 ? least - value : value;
}

bool cuda_definition_fits(const struct cuda_definition *f, uint64_t result, uint64_t expected)
{
	double a, b;
	int64_t apart;

	if (result == expected)
		return true;
	if (f->result != 'f' && f->result != 'd')
		return false;
	a = f->result == 'f' ? (double)as_f(result) : as_d(result);
	b = f->result == 'f' ? (double)as_f(expected) : as_d(expected);
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	if (!f->tolerance)
		return false;
	if (f->tolerance < 0)
		return fabs(a - b) <= ldexp(fmax(1.0, fabs(b)), f->tolerance);
	if (__builtin_sub_overflow(ordered(f->result, result), ordered(f->result, expected),
	                           &apart))
		return false;
	return apart >= -f->tolerance && apart <= f->tolerance;
}
