/* SPDX-License-Identifier: Apache-2.0 */
#include "line_history.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

enum { FIRST_BITS = 10 }; /* 2^FIRST_BITS entries at first */

int line_history_init(struct line_history *h, struct err *err)
{
	*h = (struct line_history){ .bits = FIRST_BITS };
	h->entries =
		array_alloc((size_t)1 << FIRST_BITS, sizeof(*h->entries), "history of lines", err);
	return h->entries ? 0 : ERR_NOMEM;
}

void line_history_release(struct line_history *h)
{
	free(h->entries);
	*h = (struct line_history){ 0 };
}

/* The entry with this key, or the free one where it belongs: from the top bits of a product with
 * 2^64 / golden ratio (Knuth, 6.4) onwards. */
static struct line_history_entry *find(struct line_history_entry *entries, uint32_t bits,
                                       uint64_t key)
{
	size_t mask = ((size_t)1 << bits) - 1;
	size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - bits));

	while (entries[at].key && entries[at].key != key)
		at = (at + 1) & mask;
	return &entries[at];
}

/* Twice the entries. On failure the table stays as it is and says so from then on. */
static void grow(struct line_history *h)
{
	size_t count = (size_t)1 << h->bits;
	struct line_history_entry *entries = NULL;

	if (h->bits + 1 < sizeof(size_t) * 8)
		entries = array_alloc(2 * count, sizeof(*entries), "history of lines", NULL);
	if (!entries) {
		h->is_failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (h->entries[i].key)
			*find(entries, h->bits + 1, h->entries[i].key) = h->entries[i];
	free(h->entries);
	h->entries = entries;
	h->bits++;
}

enum line_past line_history_read(struct line_history *h, uint64_t line)
{
	uint64_t key = line / 32 + 1;
	uint32_t shift = (uint32_t)(line % 32) * 2;
	struct line_history_entry *entry = find(h->entries, h->bits, key);
	uint64_t state;

	if (!entry->key) {
		if (h->used >= (size_t)1 << (h->bits - 1) && !h->is_failed)
			grow(h);
		if (h->is_failed)
			return LINE_NEW;
		entry = find(h->entries, h->bits, key);
		entry->key = key;
		h->used++;
	}
	state = entry->state >> shift & 3;
	entry->state = (entry->state & ~((uint64_t)3 << shift)) | (uint64_t)1 << shift;
	return state == 0 ? LINE_NEW : state == 1 ? LINE_READ : LINE_TAKEN;
}

void line_history_take(struct line_history *h, uint64_t line)
{
	struct line_history_entry *entry = find(h->entries, h->bits, line / 32 + 1);

	if (entry->key)
		entry->state |= (uint64_t)2 << line % 32 * 2;
}
