/* SPDX-License-Identifier: Apache-2.0 */
#include "line_history.h"

#include "err.h"

#include <assert.h>
#include <stdlib.h>

enum {
	FIRST_BITS = 6, /* 2^FIRST_BITS entries at first */
	WORD_LINES = 32,
	PAGE_WORDS = LINE_HISTORY_PAGE_LINES / WORD_LINES
};

/* What entries can name. */
static const size_t PAGES_LIMIT = UINT32_MAX - 1;

int line_history_init(struct line_history *h, struct err *err)
{
	*h = (struct line_history){ .bits = FIRST_BITS };
	array_init(&h->pages, PAGE_WORDS * sizeof(uint64_t), PAGES_LIMIT, "history of lines");
	h->entries =
		array_alloc((size_t)1 << FIRST_BITS, sizeof(*h->entries), "history of lines", err);
	return h->entries ? 0 : ERR_NOMEM;
}

void line_history_release(struct line_history *h)
{
	free(h->entries);
	array_release(&h->pages);
	*h = (struct line_history){ 0 };
}

/* The entry with this key, or the free one where it belongs: from the top bits of a product with
 * 2^64 / golden ratio (Knuth, 6.4) onwards. */
static inline struct line_history_entry *find(struct line_history_entry *entries, uint32_t bits,
                                              uint64_t key)
{
	size_t mask = ((size_t)1 << bits) - 1;
	size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - bits));

	while (entries[at].key && entries[at].key != key)
		at = (at + 1) & mask;
	return &entries[at];
}

static struct line_history_entry *find_page(const struct line_history *h, uint64_t line)
{
	return find(h->entries, h->bits, line / LINE_HISTORY_PAGE_LINES + 1);
}

/* The word of a line's page that holds its bits. */
static inline uint64_t *word_of(const struct line_history *h, uint32_t page, uint64_t line)
{
	return (uint64_t *)h->pages.data + (size_t)page * PAGE_WORDS +
	       line % LINE_HISTORY_PAGE_LINES / WORD_LINES;
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

/* A page for a line that has none: its entry, or NULL when memory ran out. */
static struct line_history_entry *add_page(struct line_history *h, uint64_t line)
{
	struct line_history_entry *entry;

	if (h->pages.count >= (size_t)1 << (h->bits - 1) && !h->is_failed)
		grow(h);
	if (h->is_failed || !array_push(&h->pages, 1, NULL)) {
		h->is_failed = true;
		return NULL;
	}
	entry = find_page(h, line);
	entry->key = line / LINE_HISTORY_PAGE_LINES + 1;
	entry->page = (uint32_t)(h->pages.count - 1);
	return entry;
}

/* The line, in this word, is read. */
static inline enum line_past read_word(uint64_t *word, uint64_t line)
{
	uint32_t shift = (uint32_t)(line % WORD_LINES) * 2;
	uint64_t state = *word >> shift & 3;

	*word = (*word & ~((uint64_t)3 << shift)) | (uint64_t)1 << shift;
	return (enum line_past)(state - (state >> 1)); /* 0, 1, 3: without a branch */
}

enum line_past line_history_read(struct line_history *h, uint64_t line)
{
	const struct line_history_entry *entry = find_page(h, line);

	if (!entry->key) {
		entry = add_page(h, line);
		if (!entry)
			return LINE_NEW;
	}
	return read_word(word_of(h, entry->page, line), line);
}

void line_history_read_all(struct line_history *h, const uint64_t *lines, size_t count,
                           unsigned char *pasts)
{
	uint32_t pages[LINE_HISTORY_READS]; /* number + 1; 0: there was none */

	assert(count <= LINE_HISTORY_READS);
	for (size_t i = 0; i < count; i++) {
		const struct line_history_entry *entry = find_page(h, lines[i]);

		pages[i] = entry->key ? entry->page + 1 : 0;
		if (pages[i])
			__builtin_prefetch(word_of(h, entry->page, lines[i]), 1);
	}
	for (size_t i = 0; i < count; i++)
		pasts[i] = pages[i] ? (unsigned char)read_word(word_of(h, pages[i] - 1, lines[i]),
		                                               lines[i])
		                    : (unsigned char)line_history_read(h, lines[i]);
}

void line_history_take(struct line_history *h, uint64_t line)
{
	const struct line_history_entry *entry = find_page(h, line);

	if (entry->key)
		*word_of(h, entry->page, line) |= (uint64_t)2 << line % WORD_LINES * 2;
}
