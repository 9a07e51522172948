/* SPDX-License-Identifier: Apache-2.0 */
#include "line_numbers.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

enum { BITS_AT_FIRST = 8, BITS_MAX = 28 };

int line_numbers_init(struct line_numbers *n, struct err *err)
{
	*n = (struct line_numbers){ .bits = BITS_AT_FIRST };
	n->entries =
		array_alloc((size_t)1 << n->bits, sizeof(*n->entries), "numbers of lines", err);
	return n->entries ? 0 : ERR_NOMEM;
}

void line_numbers_release(struct line_numbers *n)
{
	free(n->entries);
	*n = (struct line_numbers){ 0 };
}

/* The entry of a key, or the free one where it belongs: probing from the top bits of a product with
 * 2^64 / golden ratio (Knuth, 6.4) onwards. */
static struct line_numbers_entry *find(struct line_numbers_entry *entries, uint32_t bits,
                                       uint64_t key)
{
	size_t mask = ((size_t)1 << bits) - 1;
	size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - bits));

	while (entries[at].key && entries[at].key != key)
		at = (at + 1) & mask;
	return &entries[at];
}

/* Twice the entries. On failure the table stays as it is and says so from then on. */
static void grow(struct line_numbers *n)
{
	size_t count = (size_t)1 << n->bits;
	struct line_numbers_entry *entries = NULL;

	if (n->bits < BITS_MAX)
		entries = array_alloc(2 * count, sizeof(*entries), "numbers of lines", NULL);
	if (!entries) {
		n->is_failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (n->entries[i].key)
			*find(entries, n->bits + 1, n->entries[i].key) = n->entries[i];
	free(n->entries);
	n->entries = entries;
	n->bits++;
}

uint32_t line_numbers_add(struct line_numbers *n, uint64_t line)
{
	uint64_t key = line / LINE_NUMBERS_SHARED + 1;
	uint32_t place = (uint32_t)(line % LINE_NUMBERS_SHARED);
	struct line_numbers_entry *entry;

	if (key == n->last_key)
		return n->last_first + place;
	entry = find(n->entries, n->bits, key);
	if (!entry->key) {
		if (n->used >= 1u << (n->bits - 1) && !n->is_failed)
			grow(n);
		if (n->is_failed)
			return LINE_NUMBERS_NONE;
		entry = find(n->entries, n->bits, key);
		*entry = (struct line_numbers_entry){ key, n->used++ * LINE_NUMBERS_SHARED };
	}
	n->last_key = key;
	n->last_first = entry->first;
	return entry->first + place;
}

uint32_t line_numbers_find(const struct line_numbers *n, uint64_t line)
{
	uint64_t key = line / LINE_NUMBERS_SHARED + 1;
	const struct line_numbers_entry *entry;

	if (key == n->last_key)
		return n->last_first + (uint32_t)(line % LINE_NUMBERS_SHARED);
	entry = find(n->entries, n->bits, key);
	return entry->key ? entry->first + (uint32_t)(line % LINE_NUMBERS_SHARED)
	                  : LINE_NUMBERS_NONE;
}
