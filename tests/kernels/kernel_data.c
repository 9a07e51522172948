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

/* "NAME(A)" or "NAME(A,B)": returns how many numbers, 0 when `word` is something else. */
static int take_numbers(const char *word, const char *name, double numbers[2])
{
	size_t length = strlen(name);
	int count = 0;
	char *end;

	if (strncmp(word, name, length) != 0 || word[length] != '(')
		return 0;
	for (word += length + 1; count < 2; word = end + 1) {
		numbers[count++] = strtod(word, &end);
		if (end == word || *end != ',')
			return end != word && strcmp(end, ")") == 0 ? count : 0;
	}
	return 0;
}

static void fill_random(void *data, const struct kernel_argument_line *a, const double range[2],
                        uint64_t *state)
{
	bool is_bits = range[0] == range[1];

	for (size_t i = 0; is_bits && i < a->count * value_type_bytes(a->type); i++)
		((unsigned char *)data)[i] = (unsigned char)(draw(state) >> 56);
	for (size_t i = 0; !is_bits && i < a->count; i++)
		put(data, a->type, i, between(range[0], range[1], a->type, state));
}

static int fill(void *data, const struct kernel_argument_line *a, uint64_t seed)
{
	double range[2] = { 0, 0 }, first = 0, step = 0;

	if (strcmp(a->fill, "zero") == 0)
		return 0;
	if (strcmp(a->fill, "shuffle") == 0) {
		shuffle(data, a->type, a->count, &seed);
		return 0;
	}
	if (strcmp(a->fill, "random") == 0 && is_floating(a->type))
		range[0] = -(range[1] = 8);
	if (strcmp(a->fill, "random") == 0 || take_numbers(a->fill, "random", range) == 2) {
		fill_random(data, a, range, &seed);
		return 0;
	}
	if (strcmp(a->fill, "iota") == 0)
		step = 1;
	else if (take_numbers(a->fill, "steps", range) == 1)
		first = step = range[0];
	else if (take_numbers(a->fill, "const", range) == 1)
		first = range[0];
	else
		return -1;
	for (size_t i = 0; i < a->count; i++)
		put(data, a->type, i, first + step * (double)i);
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
