/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestor.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LETTER_M = 22, BASE = 36 };

/* "Mn" in base 36. n is 1..9999. */
static uint32_t encode_name(uint32_t number)
{
	uint32_t place = 1, value = 0;

	for (; number; number /= 10, place *= BASE)
		value += number % 10 * place;
	return value + LETTER_M * place;
}

/* n of "Mn", or 0 when the value is no such name. */
static uint16_t decode_name(uint32_t value)
{
	uint32_t number = 0, place = 1;

	for (; value >= BASE; value /= BASE, place *= 10) {
		if (value % BASE > 9 || place > 1000)
			return 0;
		number += value % BASE * place;
	}
	if (value != LETTER_M || number < place / 10)
		return 0;
	return (uint16_t)number;
}

/* One hexadecimal field up to `end`, with or without 0x; advances *text past it. */
static bool take_field(const char **text, char end, uint64_t *value)
{
	const char *at = *text;
	char *stop;

	if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	if (!isxdigit((unsigned char)*at))
		return false;
	errno = 0;
	*value = strtoull(at, &stop, 16);
	if (errno || *stop != end)
		return false;
	*text = stop + (end != '\0');
	return true;
}

static const char *take_word(uint64_t word, struct ancestor_line *line)
{
	uint64_t mark = word >> 28 & 0xf;

	if (word == 1 || word == 2) {
		line->kind = word == 1 ? ANCESTOR_LOCAL_BARRIER : ANCESTOR_GLOBAL_BARRIER;
		return NULL;
	}
	if (mark != 0xf && mark != 0xa)
		return "F (read) or A (write) as the eighth digit from the right, or 1 or 2 "
		       "(barriers)";
	line->kind = mark == 0xf ? ANCESTOR_READ : ANCESTOR_WRITE;
	line->address = (uint32_t)(word >> 32);
	line->number = decode_name((uint32_t)(word & 0xfffffff));
	return line->number ? NULL : "the name M1..M9999 in base 36 as the last seven digits";
}

static const char *take_loops(uint64_t word, struct ancestor_line *line)
{
	static const char *const expected = "a loop word: parts of 20 bits from bit 40 down, "
					    "ascending loops, iterations from 1";

	if (word >> 60 || (word && line->number == 0))
		return line->number ? expected : "the loop word 0 for a barrier";
	for (int shift = 40; shift >= 0 && word; shift -= 20) {
		uint64_t part = word >> shift & 0xfffff;
		uint8_t n = line->loop_count;

		if (!(part & 0xffff) || (n && part >> 16 <= line->loops[n - 1]))
			return expected;
		line->loops[n] = (uint8_t)(part >> 16);
		line->iterations[n] = (uint16_t)(part & 0xffff);
		line->loop_count++;
		word &= ((uint64_t)1 << shift) - 1;
	}
	return NULL;
}

const char *ancestor_parse(const char *text, struct ancestor_line *line)
{
	uint64_t word, ids, loops;
	const char *expected;

	*line = (struct ancestor_line){ .kind = ANCESTOR_END };
	if (*text == '-' && !text[strspn(text, "-")])
		return NULL;
	if (!take_field(&text, '|', &word) || !take_field(&text, '|', &ids) ||
	    !take_field(&text, '\0', &loops))
		return "three hexadecimal numbers with '|' between them, or a line of hyphens";
	expected = take_word(word, line);
	if (expected)
		return expected;
	if (ids >> 60)
		return "global ids of five digits a dimension";
	for (int d = 0; d < 3; d++)
		line->id[d] = (uint32_t)(ids >> 20 * d & ANCESTOR_LAST_ID);
	return take_loops(loops, line);
}

const char *ancestor_print(char text[ANCESTOR_LINE_BYTES], const struct ancestor_line *line)
{
	uint64_t word = 0, ids = 0, loops = 0;

	switch (line->kind) {
	case ANCESTOR_END:
		snprintf(text, ANCESTOR_LINE_BYTES, "%s", "--------------------");
		return text;
	case ANCESTOR_LOCAL_BARRIER:
		word = 1;
		break;
	case ANCESTOR_GLOBAL_BARRIER:
		word = 2;
		break;
	case ANCESTOR_READ:
	case ANCESTOR_WRITE:
		word = (uint64_t)line->address << 32 |
		       (line->kind == ANCESTOR_READ ? UINT64_C(0xf0000000) : UINT64_C(0xa0000000)) |
		       encode_name(line->number);
		break;
	}
	for (int d = 0; d < 3; d++)
		ids |= (uint64_t)line->id[d] << 20 * d;
	for (int i = 0; i < line->loop_count; i++)
		loops |= ((uint64_t)line->loops[i] << 16 | line->iterations[i]) << (40 - 20 * i);
	snprintf(text, ANCESTOR_LINE_BYTES, "0x%" PRIX64 "|0x%" PRIX64 "|0x%" PRIX64, word, ids,
	         loops);
	return text;
}
