/* SPDX-License-Identifier: Apache-2.0 */
#include "query_value.h"

#include <string.h>

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Exact: a double holds 53 bits of the 64. */
static int compare_mixed(uint64_t number, double real)
{
	uint64_t whole;
	int order;

	if (real < 0)
		return 1;
	if (real >= 0x1p64)
		return -1;
	whole = (uint64_t)real;
	order = compare_numbers(number, whole);
	return order || real <= (double)whole ? order : -1;
}

int query_value_compare(const struct cell *a, enum cell_type of_a, const struct cell *b,
                        enum cell_type of_b)
{
	if (a->is_none || b->is_none)
		return (int)b->is_none - (int)a->is_none;
	if (cell_type_is_text(of_a))
		return strcmp(a->text, b->text);
	if (of_a != CELL_REAL && of_b != CELL_REAL)
		return compare_numbers(a->number, b->number);
	if (of_a != CELL_REAL)
		return compare_mixed(a->number, b->real);
	if (of_b != CELL_REAL)
		return -compare_mixed(b->number, a->real);
	return a->real < b->real ? -1 : a->real > b->real;
}

enum { EXACT_DIGITS = 15 }; /* any number with that many digits is exact as a double */

/* A number being read. */
struct number_scan {
	const char *at, *end;
	uint64_t digits; /* all of them, without the point */
	uint32_t count;
	uint32_t decimals; /* digits after the point */
	bool has_point;
};

static bool scan_hexadecimal(struct number_scan *s)
{
	static const char letters[] = "0123456789abcdef0123456789ABCDEF";

	for (s->at += 2; s->at < s->end; s->at++, s->count++) {
		const char *found = strchr(letters, *s->at);

		if (!*s->at || !found)
			break;
		if (s->digits >> 60)
			return false;
		s->digits = s->digits << 4 | (uint64_t)((found - letters) & 15);
	}
	return s->count > 0;
}

static bool scan_decimal(struct number_scan *s)
{
	for (; s->at < s->end; s->at++) {
		if (*s->at == '.' && !s->has_point) {
			s->has_point = true;
			continue;
		}
		if (*s->at < '0' || *s->at > '9')
			break;
		if (__builtin_mul_overflow(s->digits, UINT64_C(10), &s->digits) ||
		    __builtin_add_overflow(s->digits, (uint64_t)(*s->at - '0'), &s->digits))
			return false;
		s->count++;
		s->decimals += s->has_point;
	}
	return s->count > 0;
}

/* Returns the factor of the suffix; 0: it is not a suffix. */
static uint64_t factor_of(const struct number_scan *s)
{
	static const char letters[] = "kMGT";
	size_t length = (size_t)(s->end - s->at);
	uint64_t factor = 1;
	const char *found;

	if (!length)
		return 1;
	/* both K and k, since Ki is written so */
	found = *s->at == 'K' ? letters : strchr(letters, *s->at);
	if (!*s->at || !found || length > 2 || (length == 2 && s->at[1] != 'i') ||
	    (*s->at == 'K' && length == 1))
		return 0;
	for (const char *at = letters; at <= found; at++)
		factor *= length == 2 ? 1024 : 1000;
	return factor;
}

bool query_value_parse(const char *text, size_t length, struct cell *out, enum cell_type *type)
{
	struct number_scan s = { .at = text, .end = text + length };
	bool is_hexadecimal = length > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
	bool is_share;
	uint64_t factor;
	double real, power = 1;

	if (!(is_hexadecimal ? scan_hexadecimal(&s) : scan_decimal(&s)))
		return false;
	is_share = s.end - s.at == 1 && *s.at == '%';
	factor = is_share ? 1 : factor_of(&s);
	if (!factor)
		return false;
	*type = s.has_point || is_share ? CELL_REAL : CELL_NUMBER;
	if (*type == CELL_REAL && s.count > EXACT_DIGITS)
		return false;
	if (*type == CELL_NUMBER) {
		*out = cell_number(0);
		return !__builtin_mul_overflow(s.digits, factor, &out->number);
	}
	/* both are exact, so the quotient is rounded once, as strtod() does */
	for (uint32_t i = 0; i < s.decimals + (is_share ? 2 : 0); i++)
		power *= 10;
	real = (double)s.digits / power;
	*out = cell_real(real * (double)factor);
	return true;
}
