/* SPDX-License-Identifier: Apache-2.0 */
#include "bitcode_extent.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define WRAPPER_MAGIC 0x0B17C0DEu
#define BITCODE_MAGIC 0xDEC04342u
#define WORD          ((size_t)4)

static uint32_t word_at(const unsigned char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/*
 * A unit begins with the abbreviation 1 in two bits, its number (8 bits at a time), the width of
 * its own abbreviations (4 at a time), then from the next multiple of 32 bits its size in words.
 * Numbers of units that a file has outside all others: 8 module, 13 identification, 23 names, 25
 * symbols; all fit 8 bits.
 */
static bool is_unit(uint32_t first)
{
	uint32_t number = first >> 2 & 0xff, width = first >> 10 & 0xf;

	return (first & 3) == 1 && first >> 14 == 0 && width < 8 &&
	       (number == 8 || number == 13 || number == 23 || number == 25);
}

size_t bitcode_extent(const void *data, size_t limit)
{
	const unsigned char *bytes = data;
	size_t at = WORD;

	if (limit >= 5 * WORD && word_at(bytes) == WRAPPER_MAGIC) {
		uint64_t end = (uint64_t)word_at(bytes + 2 * WORD) + word_at(bytes + 3 * WORD);

		return end <= limit ? (size_t)end : 0;
	}
	if (limit < WORD || word_at(bytes) != BITCODE_MAGIC)
		return 0;
	while (limit - at >= 2 * WORD && is_unit(word_at(bytes + at))) {
		uint64_t size = (uint64_t)word_at(bytes + at + WORD) * WORD + 2 * WORD;

		if (size > limit - at)
			return 0;
		at += (size_t)size;
	}
	return at > WORD ? at : 0;
}
