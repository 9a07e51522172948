/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of a plain L1, compiled once for each policy: `policy` is a constant. */
#include "l1_private.h"

#include <assert.h>

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t miss(struct l1 *l1, uint32_t set, uint64_t line, uint64_t now_cycles,
                     struct counters *c, enum gpu_policy policy)
{
	uint64_t ready_cycles = now_cycles + l1->miss_cycles;
	uint32_t slot = cache_array_victim_as(&l1->tags, set, policy);

	c->read_misses++;
	c->bytes_from_l2 += l1->line_bytes;
	c->evictions += cache_array_is_used(&l1->tags, slot);
	cache_array_put_as(&l1->tags, slot, line, policy);
	l1->ready_cycles[slot] = ready_cycles;
	return ready_cycles;
}

INLINE uint64_t read_line(struct l1 *l1, uint64_t line, uint64_t now_cycles, struct counters *c,
                          enum gpu_policy policy, bool has_classes)
{
	uint32_t set = set_index_find(&l1->index, line);
	uint64_t hit_cycles = now_cycles + l1->hit_cycles, ready_cycles;
	uint32_t slot = cache_array_find(&l1->tags, set, line);

	c->reads++;
	if (slot == CACHE_ARRAY_NONE) {
		l1_classify(l1, line, c, has_classes);
		return miss(l1, set, line, now_cycles, c, policy);
	}
	cache_array_use_as(&l1->tags, slot, policy);
	if (has_classes)
		miss_classes_hit(&l1->classes, line);
	ready_cycles = l1->ready_cycles[slot];
	if (ready_cycles <= now_cycles) {
		c->read_hits++;
		return hit_cycles;
	}
	c->pending_hits++;
	return ready_cycles > hit_cycles ? ready_cycles : hit_cycles;
}

INLINE uint64_t change_line(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                            struct counters *c, enum gpu_policy policy)
{
	bool is_atomic = r->kind == SITE_ATOMIC;
	uint64_t line = r->line >> l1->line_shift;
	uint32_t slot = cache_array_find(&l1->tags, set_index_find(&l1->index, line), line);

	c->bytes_to_l2 += r->bytes_used;
	c->atomics += is_atomic;
	c->writes += !is_atomic;
	if (slot != CACHE_ARRAY_NONE) {
		c->write_hits += !is_atomic;
		if (is_atomic || l1->write == GPU_L1_WRITE_THROUGH_EVICT) {
			cache_array_take_as(&l1->tags, slot, policy);
			miss_classes_take(&l1->classes, line);
		}
	}
	return is_atomic ? now_cycles + l1->miss_cycles : now_cycles;
}

INLINE uint64_t serve(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                      struct counters *c, enum gpu_policy policy, bool has_classes)
{
	uint64_t line = r->line >> l1->line_shift;

	c->lanes += r->lanes;
	c->bytes_asked += r->bytes_used;
	if (r->kind != SITE_READ)
		return change_line(l1, r, now_cycles, c, policy);
	return read_line(l1, line, now_cycles, c, policy, has_classes);
}

INLINE uint64_t serve_any(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                          struct counters *c, bool has_classes)
{
	switch (l1->tags.policy) {
#define REPLACEMENT(NAME, word, text)                                                              \
	case GPU_POLICY_##NAME:                                                                    \
		return serve(l1, r, now_cycles, c, GPU_POLICY_##NAME, has_classes);
#include "replacement.def"
#undef REPLACEMENT
	}
	assert(false);
	return now_cycles;
}

uint64_t l1_plain_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                          struct counters *counters)
{
	if (l1->has_classes)
		return serve_any(l1, r, now_cycles, counters, true);
	return serve_any(l1, r, now_cycles, counters, false);
}
