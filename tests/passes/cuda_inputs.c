/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_inputs.h"

#include <stdio.h>
#include <string.h>

static const uint64_t seed = 20241122;

/* Zeros, denormals, ends of the normal numbers, small and large, around halves and ends of
 * integers. */
static const double reals[] = {
	0.0,
	-0.0,
	1.0,
	-1.0,
	0.5,
	-0.5,
	1.5,
	-2.5,
	0.1,
	3.0,
	-7.25,
	3.1415926535,
	100.0,
	-1000.5,
	0x1p-149,
	-0x1p-149,
	0x1p-126,
	0x1.fffffep127,
	-0x1.fffffep127,
	0x1p-1074,
	-0x1p-1022,
	0x1p31,
	-0x1p31,
	0x1p32,
	0x1.fffffep30,
	0x1p63,
	-0x1p63,
	0x1p64,
	2147483647.5,
	4294967295.5,
	0x1p-14,
	65519.0,
	65520.0,
	0x1.8p-25,
	0x1.fffffffffffffp1023,
	1.0 / 0.0,
	-1.0 / 0.0,
	0.0 / 0.0,
};

static const uint64_t integers[] = {
	0,
	1,
	2,
	3,
	7,
	31,
	32,
	33,
	63,
	0xff,
	0x7fff,
	0x8000,
	0xffff,
	0x7fffff,
	0x800000,
	0xffffff,
	0x1000001,
	0x7fffffff,
	0x80000000,
	0x80000001,
	0xfffffffe,
	0xffffffff,
	0x12345678,
	0xfedcba98,
	0x100000000,
	0x7fffffffffffffff,
	0x8000000000000000,
	0xffffffffffffffff,
	0x7fffff4000000001,
	0xfffffffffffffbff,
	0x20000000000001,
};

static uint64_t random_bits(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 0x2545f4914f6cdd1d;
}

static size_t edges_of(char letter)
{
	return letter == 'f' || letter == 'd' ? sizeof(reals) / sizeof(reals[0])
	                                      : sizeof(integers) / sizeof(integers[0]);
}

static uint64_t edge(char letter, size_t i)
{
	uint64_t bits = 0;
	float narrow = (float)reals[i % (sizeof(reals) / sizeof(reals[0]))];

	if (letter == 'f')
		memcpy(&bits, &narrow, sizeof(narrow));
	else if (letter == 'd')
		memcpy(&bits, &reals[i], sizeof(bits));
	else
		bits = integers[i];
	return bits;
}

/* Bits, or, of numbers, one time in two one of a moderate size. */
static uint64_t random_argument(char letter, uint64_t *state)
{
	uint64_t bits = random_bits(state);
	double moderate = ((double)(bits >> 12) * 0x1p-52 - 0.5) * (double)(1 << (bits & 15));
	float narrow = (float)moderate;

	if ((bits >> 5 & 1) && letter == 'd')
		memcpy(&bits, &moderate, sizeof(bits));
	else if ((bits >> 5 & 1) && letter == 'f')
		memcpy(&bits, &narrow, sizeof(narrow));
	/* What signals is another matter. */
	if (letter == 'f' && (bits & 0x7f800000) == 0x7f800000)
		bits |= 0x400000;
	return bits;
}

static uint64_t cut(uint64_t bits, char letter)
{
	return letter == 'h'                    ? bits & 0xffff
	       : letter == 'f' || letter == 'i' ? bits & 0xffffffff
	                                        : bits;
}

void cuda_inputs_fill(uint64_t *in, const char *parameters, size_t count)
{
	uint64_t state = seed;

	printf("seed %llu\n", (unsigned long long)seed);
	for (size_t item = 0; item < count; item++) {
		size_t rest = item;

		for (size_t p = 0; parameters[p]; p++) {
			size_t edges = edges_of(parameters[p]);
			uint64_t bits = edge(parameters[p], rest % edges);

			/* Three parameters have too many combinations: some of them. */
			if (item >= count * 3 / 4 || (!p && !parameters[1] && item >= edges))
				bits = random_argument(parameters[p], &state);
			else if (strlen(parameters) > 2)
				bits = edge(parameters[p], random_bits(&state) % edges);
			rest /= edges;
			in[p * count + item] = cut(bits, parameters[p]);
		}
	}
}
