/* SPDX-License-Identifier: Apache-2.0 */
#include "c_type.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	uint32_t bytes;
} scalars[] = {
	{ "uchar", 1 }, { "char", 1 }, { "ushort", 2 }, { "short", 2 },
	{ "half", 2 },  { "uint", 4 }, { "int", 4 },    { "float", 4 },
	{ "ulong", 8 }, { "long", 8 }, { "double", 8 },
};

/* Words of a type that do not name it. */
static int is_qualifier(const char *word, size_t length)
{
	static const char *const words[] = { "const",    "volatile", "restrict",   "__restrict",
		                             "__global", "global",   "__constant", "constant" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == length && !memcmp(word, words[i], length))
			return 1;
	return 0;
}

/* The lanes behind a scalar's name; 0 when it is not that of a type. */
static uint32_t lanes_of(const char *rest, size_t length)
{
	static const char *const lanes[] = { "", "2", "3", "4", "8", "16" };
	static const uint32_t counts[] = { 1, 2, 4, 4, 8, 16 };

	for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++)
		if (strlen(lanes[i]) == length && !memcmp(rest, lanes[i], length))
			return counts[i];
	return 0;
}

static uint32_t size_of(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
		size_t own = strlen(scalars[i].name);
		uint32_t lanes;

		if (length < own || memcmp(word, scalars[i].name, own) != 0)
			continue;
		lanes = lanes_of(word + own, length - own);
		if (lanes)
			return lanes * scalars[i].bytes;
	}
	return 0;
}

const char *c_type_pointed_to(const char *pointer, uint32_t bytes, char name[C_TYPE_BYTES])
{
	const char *at = pointer;

	*name = '\0';
	while (*at) {
		size_t length = 0;

		while (isalnum((unsigned char)at[length]) || at[length] == '_')
			length++;
		if (length && !is_qualifier(at, length)) {
			if (length < C_TYPE_BYTES && size_of(at, length) == bytes)
				snprintf(name, C_TYPE_BYTES, "%.*s", (int)length, at);
			return name;
		}
		at += length ? length : 1;
	}
	return name;
}
