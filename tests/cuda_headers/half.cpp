// SPDX-License-Identifier: Apache-2.0
// __half and __nv_bfloat16 against their definitions: every number of 16 bits, and the float half-way
// between it and the next. Prints what is wrong.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>

// The value of a number of 16 bits with so many bits of fraction, by IEEE 754's definition.
static double value_of(unsigned bits, int fraction_bits)
{
	int exponent_bits = 15 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
	int exponent = (int)((bits & 0x7fff) >> fraction_bits);
	double fraction = (double)(bits & ((1u << fraction_bits) - 1)) / (double)(1 << fraction_bits);
	double sign = bits & 0x8000 ? -1.0 : 1.0;

	if (exponent == (1 << exponent_bits) - 1)
		return fraction > 0 ? NAN : sign * INFINITY;
	if (exponent == 0)
		return sign * std::ldexp(fraction, 1 - bias);
	return sign * std::ldexp(1.0 + fraction, exponent - bias);
}

static unsigned wrong;

static void expect(const char *what, unsigned bits, double got, double want)
{
	if (got == want || (std::isnan(got) && std::isnan(want)))
		return;
	if (wrong++ < 10)
		std::printf("%s of 0x%04x: %.17g, expected %.17g\n", what, bits, got, want);
}

template <typename Small> static void check(int fraction_bits)
{
	unsigned infinity = 0x7fffu & ~((1u << fraction_bits) - 1);

	for (unsigned bits = 0; bits < 0x10000; bits++) {
		Small number = Small::of_bits((unsigned short)bits);
		double value = value_of(bits, fraction_bits);

		expect("value", bits, (float)number, value);
		if (!std::isnan(value))
			expect("code", bits, Small((float)value).bits, bits);
	}
	// Half-way between two goes to the even one; a little beside it, to the nearer one.
	for (unsigned bits = 0; bits + 1 < infinity; bits++) {
		double low = value_of(bits, fraction_bits), high = value_of(bits + 1, fraction_bits);
		float middle = (float)((low + high) / 2);

		if ((double)middle != (low + high) / 2)
			continue; // no float lies there
		expect("middle", bits, Small(middle).bits, bits + (bits & 1));
		expect("below", bits, Small(nextafterf(middle, 0.0f)).bits, bits);
		expect("above", bits, Small(nextafterf(middle, INFINITY)).bits, bits + 1);
		expect("negative", bits, Small(-middle).bits, 0x8000u | (bits + (bits & 1)));
	}
	expect("infinity", 0, Small(INFINITY).bits, infinity);
	expect("nan", 0, (float)Small(NAN), NAN);
}

int main()
{
	check<__half>(10);
	check<__nv_bfloat16>(7);
	// By hand: 1/3 is 0x3555; 65519 is the last integer that is no infinity; 2^-25 goes to even, 0.
	expect("1/3", 0, __float2half(1.0f / 3).bits, 0x3555);
	expect("65519", 0, __float2half(65519.0f).bits, 0x7bff);
	expect("65520", 0, __float2half(65520.0f).bits, 0x7c00);
	expect("2^-25", 0, __float2half(std::ldexp(1.0f, -25)).bits, 0);
	expect("1.5 + 0.25", 0, (float)__hadd(__half(1.5f), __half(0.25f)), 1.75);
	expect("3 * 0.5 - 1", 0, (float)__hfma(__half(3.0f), __half(0.5f), __half(-1.0f)), 0.5);
	return wrong != 0;
}
