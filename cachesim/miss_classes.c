/* SPDX-License-Identifier: Apache-2.0 */
#include "miss_classes.h"

#include "array.h"
#include "err.h"

#include <assert.h>
#include <stdlib.h>

/* Few lines get 8 chains each, so that hardly any chain has two; above so many chains, at least
 * two. */
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

/* A node to use: a fresh one, or that of the oldest line, which leaves. */
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

/* By whether a fully associative cache has the line, and its past. A table, since neither can be
 * foreseen and the past is waited for. */
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
