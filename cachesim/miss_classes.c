/* SPDX-License-Identifier: Apache-2.0 */
#include "miss_classes.h"

#include "array.h"
#include "err.h"

#include <assert.h>
#include <stdlib.h>

enum {
	FIRST_BITS = 6, /* log2 of the initial number of entries */
	WORD_LINES = 32,
	PAGE_WORDS = LINE_HISTORY_PAGE_LINES / WORD_LINES
};

/* The limit of page numbers. */
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

/* Returns the entry with this key, or the free entry for it. The search begins at the top bits of a
 * product with 2^64 / golden ratio (Knuth, 6.4). */
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

/* The word of a line's page that has its bits. */
static inline uint64_t *word_of(const struct line_history *h, uint32_t page, uint64_t line)
{
	return (uint64_t *)h->pages.data + (size_t)page * PAGE_WORDS +
	       line % LINE_HISTORY_PAGE_LINES / WORD_LINES;
}

/* Double the entries. On failure the table is unchanged and is_failed is set. */
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

/* Add a page for a line that has none. Returns its entry, or NULL if out of memory. */
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

/* Record a read of the line in its word. Returns its past. */
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

/* line_history_read() for `count` lines, at most LINE_HISTORY_READS, in order: waits for the host's
 * memory once instead of once for each. pasts[] gets enum line_past. */
static void line_history_read_all(struct line_history *h, const uint64_t *lines, size_t count,
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

/* Up to 2^CHAINS_MANY_BITS chains, each line gets 8, so that few chains have two lines; beyond
 * that, at least two. */
enum { CHAINS_MANY_BITS = 11 };

int full_lru_init(struct full_lru *lru, uint32_t capacity, struct err *err)
{
	uint32_t bits = 4;

	assert(capacity >= 1 && capacity <= 1u << 30);
	while (bits < CHAINS_MANY_BITS ? 1u << bits < 8 * capacity : 1u << bits < 2 * capacity)
		bits++;
	*lru = (struct full_lru){ .capacity = capacity, .hash_shift = 64 - bits };
	lru->nodes = array_alloc((size_t)capacity + 1, sizeof(*lru->nodes), "LRU shadow", err);
	lru->heads = array_alloc((size_t)1 << bits, sizeof(*lru->heads), "LRU shadow", err);
	if (!lru->nodes || !lru->heads) {
		full_lru_release(lru);
		return ERR_NOMEM;
	}
	lru->nodes[0].line = UINT64_MAX; /* no line has this number */
	return 0;
}

void full_lru_release(struct full_lru *lru)
{
	free(lru->nodes);
	free(lru->heads);
	*lru = (struct full_lru){ 0 };
}

/* The chain of a line: the top bits of a product with 2^64 / golden ratio (Knuth, 6.4). */
static uint32_t *chain_of(const struct full_lru *lru, uint64_t line)
{
	return &lru->heads[line * 0x9e3779b97f4a7c15u >> lru->hash_shift];
}

static void ring_remove(struct full_lru_node *nodes, uint32_t n)
{
	nodes[nodes[n].newer].older = nodes[n].older;
	nodes[nodes[n].older].newer = nodes[n].newer;
}

static void ring_add_newest(struct full_lru_node *nodes, uint32_t n)
{
	uint32_t newest = nodes[0].older;

	nodes[n].older = newest;
	nodes[n].newer = 0;
	nodes[newest].newer = n;
	nodes[0].older = n;
}

static void chain_remove(struct full_lru *lru, uint32_t n)
{
	uint32_t *at = chain_of(lru, lru->nodes[n].line);

	while (*at != n)
		at = &lru->nodes[*at].next;
	*at = lru->nodes[n].next;
}

/* Returns a node to use: a new one, or that of the oldest line, which is evicted. */
static uint32_t take_node(struct full_lru *lru)
{
	uint32_t oldest = lru->nodes[0].newer;

	if (lru->count < lru->capacity)
		return ++lru->count;
	ring_remove(lru->nodes, oldest);
	chain_remove(lru, oldest);
	return oldest;
}

bool full_lru_touch(struct full_lru *lru, uint64_t line)
{
	struct full_lru_node *nodes = lru->nodes;
	uint32_t *chain, n;

	if (nodes[nodes[0].older].line == line)
		return true;
	chain = chain_of(lru, line);
	for (n = *chain; n && nodes[n].line != line;)
		n = nodes[n].next;
	if (n) {
		ring_remove(nodes, n);
		ring_add_newest(nodes, n);
		return true;
	}
	n = take_node(lru);
	nodes[n].line = line;
	nodes[n].next = *chain;
	*chain = n;
	ring_add_newest(nodes, n);
	return false;
}

int miss_classes_init(struct miss_classes *m, uint32_t line_count, struct err *err)
{
	int ret;

	*m = (struct miss_classes){ 0 };
	if (!line_count)
		return 0;
	ret = full_lru_init(&m->recent, line_count, err);
	return ret ? ret : line_history_init(&m->history, err);
}

void miss_classes_release(struct miss_classes *m)
{
	full_lru_release(&m->recent);
	line_history_release(&m->history);
}

/* By whether a fully associative cache has the line, and by its past. A table avoids a branch: both
 * are unpredictable, and the past arrives late from memory. */
static const unsigned char classes[2][3] = {
	{ [LINE_NEW] = MISS_COLD, [LINE_READ] = MISS_CAPACITY, [LINE_TAKEN] = MISS_COHERENCE },
	{ [LINE_NEW] = MISS_COLD, [LINE_READ] = MISS_CONFLICT, [LINE_TAKEN] = MISS_COHERENCE },
};

void miss_classes_hit(struct miss_classes *m, uint64_t line)
{
	if (m->recent.capacity)
		full_lru_touch(&m->recent, line);
}

enum miss_class miss_classes_miss(struct miss_classes *m, uint64_t line)
{
	bool is_recent;

	if (!m->recent.capacity)
		return MISS_COLD;
	is_recent = full_lru_touch(&m->recent, line);
	return (enum miss_class)classes[is_recent][line_history_read(&m->history, line)];
}

void miss_classes_reads(struct miss_classes *m, const uint64_t *lines, const bool *has_missed,
                        size_t count, uint64_t counts[MISS_CLASSES])
{
	uint64_t missed[MISS_CLASSES_READS] = { 0 };
	bool is_recent[MISS_CLASSES_READS];
	unsigned char pasts[MISS_CLASSES_READS];
	size_t misses = 0;

	assert(count <= MISS_CLASSES_READS);
	for (size_t i = 0; i < count; i++) {
		missed[misses] = lines[i];
		is_recent[misses] = full_lru_touch(&m->recent, lines[i]);
		misses += has_missed[i];
	}
	line_history_read_all(&m->history, missed, misses, pasts);
	for (size_t i = 0; i < misses; i++)
		counts[classes[is_recent[i]][pasts[i]]]++;
}

void miss_classes_take(struct miss_classes *m, uint64_t line)
{
	if (m->recent.capacity)
		line_history_take(&m->history, line);
}

int miss_classes_status(const struct miss_classes *m, struct err *err)
{
	if (!m->history.is_failed)
		return 0;
	return err_set(err, ERR_NOMEM,
	               "miss classes: out of memory for the history of %zu regions of %d lines",
	               m->history.pages.count, LINE_HISTORY_PAGE_LINES);
}
