/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Of a number that a half can hold: normal, or 0; bits below its last are cut. */
static uint16_t half_bits(double number)
{
	int exponent;
	double mantissa = frexp(fabs(number), &exponent);
	unsigned sign = signbit(number) ? 0x8000 : 0;

	if (mantissa == 0 || exponent < -13)
		return (uint16_t)sign;
	if (exponent > 16)
		return (uint16_t)(sign | 0x7c00);
	return (uint16_t)(sign | (unsigned)(exponent + 14) << 10 |
	                  ((unsigned)(mantissa * 2048) & 0x3ff));
}

static double half_value(uint16_t bits)
{
	int exponent = (bits >> 10) & 31;
	double mantissa = (bits & 0x3ff) / 1024.0 + (exponent ? 1 : 0);
	double value = ldexp(mantissa, (exponent ? exponent : 1) - 15);

	return bits & 0x8000 ? -value : value;
}

static bool is_floating(enum value_type type)
{
	static const char kinds[] = {
#define VALUE_TYPE(NAME, name, bytes, kind) kind,
#include "value_types.def"
#undef VALUE_TYPE
	};

	return kinds[type] == 'f';
}

/* Integers are written by their low bytes, which are the first ones here: x86 and ARM. */
static void put(void *data, enum value_type type, size_t i, double number)
{
	size_t bytes = value_type_bytes(type);
	char *to = (char *)data + i * bytes;
	int64_t whole = (int64_t)number;
	float single = (float)number;
	uint16_t half;

	if (type == VALUE_DOUBLE)
		memcpy(to, &number, bytes);
	else if (type == VALUE_FLOAT)
		memcpy(to, &single, bytes);
	else if (type == VALUE_HALF)
		memcpy(to, (half = half_bits(number), &half), bytes);
	else
		memcpy(to, &whole, bytes);
}

static void shuffle(void *data, enum value_type type, size_t count, uint64_t *state)
{
	size_t bytes = value_type_bytes(type);
	char *at = data, kept[8];

	for (size_t i = 0; i < count; i++)
		put(data, type, i, (double)i);
	for (size_t i = count; i > 1; i--) {
		size_t other = draw(state) % i;

		memcpy(kept, at + other * bytes, bytes);
		memcpy(at + other * bytes, at + (i - 1) * bytes, bytes);
		memcpy(at + (i - 1) * bytes, kept, bytes);
	}
}

static double between(double low, double high, enum value_type type, uint64_t *state)
{
	uint64_t steps = (uint64_t)(high - low) * (is_floating(type) ? 256 : 1);
	double offset = (double)(draw(state) % (steps ? steps : 1));

	return low + (is_floating(type) ? offset / 256 : offset);
}

static int fill(void *data, const struct kernel_argument_line *a, uint64_t seed)
{
	double low = -8, high = 8;
	char end = 0;
	const char *word = a->fill;

	if (strcmp(word, "zero") == 0)
		return 0;
	if (strcmp(word, "shuffle") == 0) {
		shuffle(data, a->type, a->count, &seed);
		return 0;
	}
	if (strcmp(word, "random") == 0 && !is_floating(a->type)) {
		for (size_t i = 0; i < a->count * value_type_bytes(a->type); i++)
			((unsigned char *)data)[i] = (unsigned char)(draw(&seed) >> 56);
		return 0;
	}
	if (strcmp(word, "random") == 0 ||
	    (sscanf(word, "random(%lf,%lf%c", &low, &high, &end) == 3 && end == ')')) {
		for (size_t i = 0; i < a->count; i++)
			put(data, a->type, i, between(low, high, a->type, &seed));
		return 0;
	}
	low = 1;
	if (strcmp(word, "iota") != 0 && sscanf(word, "steps(%lf%c", &low, &end) != 2) {
		if (sscanf(word, "const(%lf%c", &high, &end) != 2)
			return -1;
		for (size_t i = 0; i < a->count; i++)
			put(data, a->type, i, high);
		return 0;
	}
	for (size_t i = 0; i < a->count; i++)
		put(data, a->type, i, ((double)i + (end ? 1 : 0)) * low);
	return 0;
}

void *kernel_data_make(const struct kernel_run *run, unsigned index, size_t *bytes)
{
	const struct kernel_argument_line *a = &run->arguments[index];
	void *data;

	*bytes = a->count * value_type_bytes(a->type);
	data = calloc(*bytes ? *bytes : 1, 1);
	if (data && fill(data, a, index + 1) != 0) {
		free(data);
		return NULL;
	}
	return data;
}

size_t kernel_data_scalar(const struct kernel_argument_line *a, void *value)
{
	for (size_t i = 0; i < a->count; i++)
		put(value, a->type, i, a->number);
	return a->count * value_type_bytes(a->type);
}

int64_t kernel_data_integer(const void *data, enum value_type type, size_t i)
{
	size_t bytes = value_type_bytes(type);
	const char *from = (const char *)data + i * bytes;
	uint64_t bits = 0;
	float single;
	double number;

	memcpy(&bits, from, bytes);
	switch (type) {
	case VALUE_CHAR:
		return (int8_t)bits;
	case VALUE_SHORT:
		return (int16_t)bits;
	case VALUE_INT:
		return (int32_t)bits;
	case VALUE_HALF:
		return (int64_t)half_value((uint16_t)bits);
	case VALUE_FLOAT:
		memcpy(&single, from, bytes);
		return (int64_t)single;
	case VALUE_DOUBLE:
		memcpy(&number, from, bytes);
		return (int64_t)number;
	case VALUE_UCHAR:
	case VALUE_USHORT:
	case VALUE_UINT:
	case VALUE_LONG:
	case VALUE_ULONG:
	case VALUE_TYPE_COUNT:
		break;
	}
	return (int64_t)bits;
}
