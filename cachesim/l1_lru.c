/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plain L1 with LRU and few ways, which almost every replay uses. Its sets are arrays of ways,
 * most recently read first, empty ones last; the last way is the one to replace. This takes half
 * the time of tags that stay in their slots.
 */
#include "l1_private.h"

#include <assert.h>

#define INLINE static inline __attribute__((always_inline))

/* Returns the index of a line in its set, or `count`. */
static uint32_t find_way(const struct l1_way *set, uint32_t count, uint64_t key)
{
	uint32_t at = 0;

	while (at < count && set[at].key != key)
		at++;
	return at;
}

/* Move `way` to the front; the ways before `at` move back by one, replacing the one at `at`. */
static void put_first(struct l1_way *set, uint32_t at, struct l1_way way)
{
	for (; at > 0; at--)
		set[at] = set[at - 1];
	set[0] = way;
}

/* Empty the way at `at`; the ways after it move forward by one. */
static void take_out(struct l1_way *set, uint32_t count, uint32_t at)
{
	for (; at + 1 < count; at++)
		set[at] = set[at + 1];
	set[at] = (struct l1_way){ 0 };
}

INLINE uint64_t miss(struct l1 *l1, struct l1_way *set, uint64_t line, uint64_t now_cycles,
                     struct counters *c, bool has_classes)
{
	uint64_t ready_cycles = now_cycles + l1->miss_cycles;
	uint32_t last = l1->way_count - 1;

	c->read_misses++;
	c->bytes_from_l2 += l1->line_bytes;
	c->evictions += set[last].key != 0;
	put_first(set, last, (struct l1_way){ line + 1, ready_cycles });
	l1_classify(l1, line, c, has_classes);
	return ready_cycles;
}

INLINE uint64_t read_line(struct l1 *l1, struct l1_way *set, uint64_t line, uint64_t now_cycles,
                          struct counters *c, bool has_classes)
{
	uint64_t ready_cycles = now_cycles + l1->hit_cycles;
	uint32_t at = find_way(set, l1->way_count, line + 1);
	struct l1_way way;

	c->reads++;
	if (at == l1->way_count)
		return miss(l1, set, line, now_cycles, c, has_classes);
	way = set[at];
	put_first(set, at, way);
	if (has_classes)
		miss_classes_hit(&l1->classes, line);
	if (way.ready_cycles <= now_cycles) {
		c->read_hits++;
		return ready_cycles;
	}
	c->pending_hits++;
	return way.ready_cycles > ready_cycles ? way.ready_cycles : ready_cycles;
}

/* Serve a write or an atomic. Not inlined, because its registers would slow down reads. */
static __attribute__((noinline)) uint64_t change_line(struct l1 *l1, struct l1_way *set,
                                                      uint64_t line, const struct request *r,
                                                      uint64_t now_cycles, struct counters *c)
{
	bool is_atomic = r->kind == SITE_ATOMIC;
	uint32_t at = find_way(set, l1->way_count, line + 1);

	c->bytes_to_l2 += r->bytes_used;
	c->atomics += is_atomic;
	c->writes += !is_atomic;
	if (at < l1->way_count) {
		c->write_hits += !is_atomic;
		if (is_atomic || l1->write == GPU_L1_WRITE_THROUGH_EVICT) {
			take_out(set, l1->way_count, at);
			miss_classes_take(&l1->classes, line);
		}
	}
	return is_atomic ? now_cycles + l1->miss_cycles : now_cycles;
}

INLINE uint64_t serve(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                      struct counters *counters, bool has_classes)
{
	uint64_t line = r->line >> l1->line_shift;
	struct l1_way *set =
		l1->lru_ways + (size_t)set_index_find(&l1->index, line) * l1->way_count;

	counters->lanes += r->lanes;
	counters->bytes_asked += r->bytes_used;
	if (r->kind == SITE_READ)
		return read_line(l1, set, line, now_cycles, counters, has_classes);
	return change_line(l1, set, line, r, now_cycles, counters);
}

uint64_t l1_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                    struct counters *counters)
{
	assert(r->kind <= SITE_ATOMIC);
	if (__builtin_expect(l1->lru_ways != NULL, 1))
		return l1->has_classes ? serve(l1, r, now_cycles, counters, true)
		                       : serve(l1, r, now_cycles, counters, false);
	if (l1->sector_words)
		return l1_sectors_request(l1, r, now_cycles, counters);
	if (l1->is_plain)
		return l1_plain_request(l1, r, now_cycles, counters);
	return l1_port_request(l1, r, false, now_cycles, counters);
}
