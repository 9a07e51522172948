/* SPDX-License-Identifier: Apache-2.0 */
#include "text_scan.h"

#include <string.h>

bool text_scan_fixed(const char **at, const char *text)
{
	size_t length = strlen(text);

	if (strncmp(*at, text, length) != 0)
		return false;
	*at += length;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

void text_scan_blanks(const char **at)
{
	while (is_blank(**at))
		++*at;
}

bool text_scan_decimal(const char **at, uint64_t max, uint64_t *out)
{
	const char *c = *at;
	uint64_t value = 0;

	if (*c < '0' || *c > '9')
		return false;
	for (; *c >= '0' && *c <= '9'; c++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*c - '0'), &value))
			return false;
	}
	if (value > max)
		return false;
	*out = value;
	*at = c;
	return true;
}

bool text_scan_signed(const char **at, uint64_t *out)
{
	const char *c = *at;
	bool is_negative = *c == '-';

	c += is_negative;
	if (!text_scan_decimal(&c, INT64_MAX, out))
		return false;
	if (is_negative)
		*out = 0 - *out;
	*at = c;
	return true;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool text_scan_hex(const char **at, uint64_t max, uint64_t *out)
{
	const char *c = *at;
	uint64_t value = 0;

	if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X') && digit_of(c[2]) >= 0)
		c += 2;
	if (digit_of(*c) < 0)
		return false;
	for (; digit_of(*c) >= 0; c++) {
		if (value >> 60)
			return false;
		value = value << 4 | (uint64_t)digit_of(*c);
	}
	if (value > max)
		return false;
	*out = value;
	*at = c;
	return true;
}

bool text_scan_word(const char **at, char *word, size_t bytes)
{
	size_t length = strcspn(*at, " \t");

	if (!length || length >= bytes)
		return false;
	memcpy(word, *at, length);
	word[length] = '\0';
	*at += length;
	return true;
}

bool text_scan_triple(const char **at, uint64_t min, uint64_t out[3])
{
	const char *c = *at;

	for (int d = 0; d < 3; d++) {
		if ((d && *c++ != ',') || !text_scan_decimal(&c, UINT32_MAX, &out[d]) ||
		    out[d] < min)
			return false;
	}
	*at = c;
	return true;
}
