/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_steps.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* Comparisons of floating point numbers are exact here on purpose. */
#pragma GCC diagnostic ignored "-Wfloat-equal"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static float single_of(uint64_t bits)
{
	uint32_t word = (uint32_t)bits;
	float value;

	memcpy(&value, &word, sizeof(value));
	return value;
}

static double double_of(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static uint64_t real(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return value != value ? 0x7fc00000 : bits;
}

static uint64_t wide(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return value != value ? 0x7ff8000000000000 : bits;
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
	return value < least ? least : value > most ? most : value;
}

static int32_t low_24(uint32_t value)
{
	return (int32_t)(value << 8) >> 8;
}

static uint64_t pair(uint64_t low_word, uint64_t high_word)
{
	return high_word << 32 | low_word;
}

/* dp4a of bytes with a sign and bytes without */
static uint32_t dot(uint32_t x, uint32_t y, uint32_t sum)
{
	for (unsigned i = 0; i < 32; i += 8)
		sum += (uint32_t)((int8_t)(x >> i) * (int32_t)(y >> i & 0xff));
	return sum;
}

/* bfe: bit by bit, as the manual has it */
static uint64_t extract(uint64_t value, uint32_t bits, uint32_t at, uint32_t length, int has_sign)
{
	uint32_t pos = at & 0xff, len = length & 0xff, msb = bits - 1;
	uint32_t last = pos + len - 1 < msb ? pos + len - 1 : msb;
	uint64_t sign = !has_sign || len == 0 ? 0 : value >> last & 1, result = 0;

	for (uint32_t i = 0; i <= msb; i++)
		result |= (i < len && pos + i <= msb ? value >> (pos + i) & 1 : sign) << i;
	return result;
}

static uint64_t insert(uint64_t a, uint64_t b, uint32_t bits, uint32_t at, uint32_t length)
{
	uint32_t pos = at & 0xff, len = length & 0xff;

	for (uint32_t i = 0; i < len && pos + i < bits; i++)
		b = (b & ~((uint64_t)1 << (pos + i))) | (a >> i & 1) << (pos + i);
	return b;
}

/* bfind: -1 where there is no such bit */
static uint32_t find(uint64_t value, uint32_t bits, int has_sign)
{
	if (has_sign && value >> (bits - 1) & 1)
		value = ~value;
	for (uint32_t i = bits; i-- > 0;)
		if (value >> i & 1)
			return i;
	return ~0u;
}

static uint32_t count(uint64_t value)
{
	uint32_t bits = 0;

	for (; value; value >>= 1)
		bits += value & 1;
	return bits;
}

static uint64_t reverse(uint64_t value)
{
	uint64_t result = 0;

	for (uint32_t i = 0; i < 64; i++)
		result |= (value >> i & 1) << (63 - i);
	return result;
}

/* The four selectors of prmt, which are the lowest 16 bits. */
static uint32_t selectors(uint32_t value)
{
	return value & 0xffff;
}

static uint32_t permute(uint32_t x, uint32_t y, uint32_t modes)
{
	uint64_t bytes = pair(x, y);
	uint32_t result = 0;

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t mode = modes >> 4 * i & 15, byte = bytes >> 8 * (mode & 7) & 0xff;

		if (mode & 8)
			byte = byte & 0x80 ? 0xff : 0;
		result |= byte << 8 * i;
	}
	return result;
}

/* fns, as the manual's program has it */
static uint32_t nth(uint32_t mask, uint32_t base, int32_t offset)
{
	int32_t pos = (int32_t)base, left = (offset < 0 ? -offset : offset) - 1;

	if (offset == 0)
		return mask >> base & 1 ? base : ~0u;
	for (; pos >= 0 && pos < 32; pos += offset > 0 ? 1 : -1)
		if (mask >> pos & 1 && left-- == 0)
			return (uint32_t)pos;
	return ~0u;
}

static uint32_t low(uint32_t bits)
{
	return bits > 31 ? ~0u : (1u << bits) - 1;
}

/* One operation on floats with a rounding; 'u' and 'd' convert b. */
static __attribute__((noinline)) float directed(int rounding, char operation, volatile float a,
                                                volatile double b)
{
	volatile float f = (float)b, result = 0;
	volatile uint32_t word = operation == 'u' ? (uint32_t)b : 0;

	fesetround(rounding);
	if (operation == '+')
		result = a + f;
	else if (operation == '*')
		result = a * f;
	else if (operation == '/')
		result = a / f;
	else if (operation == 'r')
		result = sqrtf(a);
	else if (operation == 'u')
		result = (float)word;
	else
		result = (float)b;
	fesetround(FE_TONEAREST);
	return result;
}

static float directed_fma(int rounding, volatile float a, volatile float b, volatile float c)
{
	volatile float result;

	fesetround(rounding);
	result = fmaf(a, b, c);
	fesetround(FE_TONEAREST);
	return result;
}

static __attribute__((noinline)) double directed_wide(int rounding, char operation,
                                                      volatile double a, volatile double b)
{
	volatile double result;

	fesetround(rounding);
	if (operation == '+')
		result = a + b;
	else if (operation == '*')
		result = a * b;
	else
		result = operation == '/' ? a / b : sqrt(a);
	fesetround(FE_TONEAREST);
	return result;
}

static double directed_wide_fma(int rounding, volatile double a, volatile double b,
                                volatile double c)
{
	volatile double result;

	fesetround(rounding);
	result = fma(a, b, c);
	fesetround(FE_TONEAREST);
	return result;
}

static float directed_long(int rounding, volatile int64_t value)
{
	volatile float result;

	fesetround(rounding);
	result = (float)value;
	fesetround(FE_TONEAREST);
	return result;
}

static double directed_long_wide(int rounding, volatile int64_t value)
{
	volatile double result;

	fesetround(rounding);
	result = (double)value;
	fesetround(FE_TONEAREST);
	return result;
}

/* The less of two; what is no number counts as missing, and -0 is less than 0. */
static float least(float a, float b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	return a < b || (a == b && signbit(a)) ? a : b;
}

static double least_wide(double a, double b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	return a < b || (a == b && signbit(a)) ? a : b;
}

/* A whole number as an integer: out of range the nearest, what is no number as told. */
static uint64_t whole(double value, double least, double past, uint64_t none)
{
	if (value != value)
		return none;
	if (value < least)
		return least < 0 ? (uint64_t)(int64_t)least : 0;
	if (value >= past)
		return past == 0x1p64   ? UINT64_MAX
		       : past == 0x1p63 ? INT64_MAX
		                        : (uint64_t)(past - 1);
	return value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
}

/* The value of a half: sign, 5 bits of exponent, 10 bits. */
static double half(uint32_t bits)
{
	int exponent = bits >> 10 & 31;
	double digits = bits & 0x3ff, value;

	if (exponent == 31)
		value = digits > 0 ? NAN : INFINITY;
	else if (exponent == 0)
		value = ldexp(digits, -24);
	else
		value = ldexp(digits + 1024, exponent - 25);
	return bits & 0x8000 ? -value : value;
}

/* The nearest half, the even one of two: of all that there are. */
static uint32_t to_half(double value)
{
	uint32_t sign = signbit(value) ? 0x8000 : 0, best = 0x7c00;
	double size = fabs(value), distance;

	if (size >= 65520) /* the middle between the largest and what would be behind it */
		return sign | 0x7c00;
	distance = INFINITY;
	for (uint32_t i = 0; i < 0x7c00; i++) {
		double other = fabs(half(i) - size);

		if (other < distance || (other == distance && !(i & 1))) {
			distance = other;
			best = i;
		}
	}
	return sign | best;
}

static float half_sum(double a, double b)
{
	double sum = a + b;

	return sum != sum ? NAN : (float)half(to_half(sum));
}

/* The upper half of a float as a float. */
static float upper(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return single_of(bits & 0xffff0000);
}

/* The nearest upper half, the even one of two. */
static uint32_t bfloat(uint32_t bits)
{
	uint32_t down = bits >> 16, rest = bits & 0xffff;

	return (down + (rest > 0x8000 || (rest == 0x8000 && down & 1))) & 0xffff;
}

#define ROW(result)                                                                                \
	static uint64_t LINE(__LINE__)(uint64_t a, uint64_t b, uint64_t c)                         \
	{                                                                                          \
		const uint32_t x = (uint32_t)a, y = (uint32_t)b, z = (uint32_t)c;                  \
		const int64_t sa = (int64_t)a, sb = (int64_t)b;                                    \
		const int32_t sx = (int32_t)x, sy = (int32_t)y, sz = (int32_t)z;                   \
		const float f = single_of(a), g = single_of(b), h = single_of(c);                  \
		const double d = double_of(a), e = double_of(b), i = double_of(c);                 \
                                                                                                   \
		(void)x, (void)y, (void)z, (void)sa, (void)sb, (void)sx, (void)sy, (void)sz;       \
		(void)f, (void)g, (void)h, (void)d, (void)e, (void)i;                              \
		return (uint64_t)(result);                                                         \
	}
#define LINE(line)                      LINE_(line)
#define LINE_(line)                     value_##line
#define STEP(kind, ptx, result)         ROW(result)
#define BOTH(kind, ptx, source, result) ROW(result)
#define SOURCE(kind, source, result)    ROW(result)
#include "ptx_steps.def"
#undef STEP
#undef BOTH
#undef SOURCE

const struct ptx_step_row ptx_step_rows[] = {
#define STEP(kind, ptx, result)         { #kind[0], ptx, NULL, LINE(__LINE__) },
#define BOTH(kind, ptx, source, result) { #kind[0], ptx, source, LINE(__LINE__) },
#define SOURCE(kind, source, result)    { #kind[0], NULL, source, LINE(__LINE__) },
#include "ptx_steps.def"
};

const size_t ptx_step_count = sizeof(ptx_step_rows) / sizeof(ptx_step_rows[0]);
