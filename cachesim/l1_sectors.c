/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of an L1 with sectors, with writes that bring their line in, or with an outbox, but
 * without limits, observer or write-back: what replays of today's GPUs have. A fill is no more than
 * the cycle in which a sector comes, kept with its slot, or with an outbox the ask that will tell
 * it. Made once for each policy: `policy` is a constant.
 */
#include "l1_classify.h"
#include "l1_private.h"
#include "sector_masks.h"
#include "sector_runs.h"

#include <assert.h>

#define INLINE static inline __attribute__((always_inline))

/* The words of a slot: the mask of sectors that are there or on their way, and then of each of
 * these the cycle in which it comes, or came, or its ask (l1_asks.h); with promotion at last the
 * mask of those promoted that nobody has asked for. */
INLINE uint64_t *words_of(const struct l1 *l1, uint32_t slot)
{
	return l1->sector_words + (size_t)slot * l1->slot_words;
}

/* Sectors come in this cycle. */
INLINE void bring(uint64_t *words, uint64_t sectors, uint64_t cycle)
{
	words[0] |= sectors;
	for (; sectors; sectors &= sectors - 1)
		words[1 + __builtin_ctzll(sectors)] = cycle;
}

/* A line takes a slot of its set. */
INLINE uint32_t place(struct l1 *l1, uint32_t set, uint64_t line, struct counters *c,
                      enum gpu_policy policy)
{
	uint32_t slot = cache_array_victim_as(&l1->tags, set, policy);

	c->evictions += cache_array_is_used(&l1->tags, slot);
	cache_array_put_as(&l1->tags, slot, line, policy);
	words_of(l1, slot)[0] = 0;
	if (l1->promoted_sectors)
		words_of(l1, slot)[l1->slot_words - 1] = 0;
	return slot;
}

/* Fetch sectors, for which `waiter` waits alone; their word. */
INLINE uint64_t fetch(struct l1 *l1, const struct request *r, uint32_t slot, uint64_t sectors,
                      uint32_t waiter, uint64_t now_cycles)
{
	uint64_t word = now_cycles + l1->miss_cycles;

	if (l1->below)
		word = l1_asks_read(l1, r, sectors, slot, waiter, now_cycles);
	bring(words_of(l1, slot), sectors, word);
	return word;
}

/* Sectors are fetched, those of them that are not touched by promotion. */
INLINE void count_fetch(const struct l1 *l1, uint64_t *words, uint64_t sectors, uint64_t touched,
                        struct counters *c)
{
	uint64_t promoted = sectors & ~touched;
	uint32_t missed = sector_runs_bits(sectors & touched), more = sector_runs_bits(promoted);

	c->bytes_from_l2 += (uint64_t)(missed + more) * l1->sector_bytes;
	c->sectors_missed += missed;
	c->sectors_promoted += more;
	if (promoted)
		words[l1->slot_words - 1] |= promoted;
}

/* Of sectors that are there, or on their way, those that were promoted are asked for now. */
INLINE void count_present(const struct l1 *l1, uint64_t *words, uint64_t present,
                          struct counters *c)
{
	uint64_t *promoted = &words[l1->slot_words - 1];

	if (l1->promoted_sectors && *promoted & present) {
		uint64_t first = *promoted & present;

		c->sectors_promoted_hit += sector_runs_bits(first);
		*promoted &= ~first;
		present &= ~first;
	}
	c->sectors_hit += sector_runs_bits(present);
}

/* A read of a line that is there, or on its way; its data. */
INLINE uint64_t read_found(struct l1 *l1, const struct request *r, uint32_t slot, uint64_t touched,
                           uint64_t now_cycles, struct counters *c)
{
	uint64_t *words = words_of(l1, slot), missing = touched & ~words[0];
	uint64_t data = now_cycles + l1->hit_cycles, last = 0;
	bool is_later = false;

	count_present(l1, words, touched & ~missing, c);
	if (missing) {
		uint64_t fetched = missing | (l1_promoted(l1, r, touched) & ~words[0]);

		c->read_misses++;
		c->sector++;
		count_fetch(l1, words, fetched, touched, c);
		fetch(l1, r, slot, fetched, L1_ASK_NONE, now_cycles);
	}
	for (uint64_t left = touched; left; left &= left - 1) {
		uint64_t word = words[1 + __builtin_ctzll(left)];

		is_later |= (word & L1_ASK_BIT) != 0;
		if (!(word & L1_ASK_BIT) && word > last)
			last = word;
	}
	if (!missing) {
		c->read_hits += last <= now_cycles && !is_later;
		c->pending_hits += last > now_cycles || is_later;
	}
	data = last > data ? last : data;
	if (!is_later)
		return data;
	l1_asks_wait(l1, r, words, touched, data);
	return MEMORY_LATER;
}

INLINE uint64_t read_line(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                          struct counters *c, enum gpu_policy policy, bool has_classes)
{
	uint64_t line = r->line >> l1->line_shift;
	uint32_t set = set_index_find(&l1->index, line);
	uint32_t slot = cache_array_find(&l1->tags, set, line);
	uint64_t touched = sector_masks_find(r, l1->line_bytes, l1->sector_bytes).touched;
	uint64_t fetched, word;

	c->reads++;
	if (slot != CACHE_ARRAY_NONE) {
		cache_array_use_as(&l1->tags, slot, policy);
		if (has_classes)
			miss_classes_hit(&l1->classes, line);
		return read_found(l1, r, slot, touched, now_cycles, c);
	}
	c->read_misses++;
	l1_classify(l1, line, c, has_classes);
	slot = place(l1, set, line, c, policy);
	fetched = touched | l1_promoted(l1, r, touched);
	count_fetch(l1, words_of(l1, slot), fetched, touched, c);
	word = fetch(l1, r, slot, fetched, r->waiter, now_cycles);
	return word & L1_ASK_BIT ? MEMORY_LATER : word;
}

/* A write with through_allocate. */
static void write_into(struct l1 *l1, const struct request *r, uint32_t set, uint32_t slot,
                       uint64_t line, struct counters *c)
{
	uint64_t whole = sector_masks_find(r, l1->line_bytes, l1->sector_bytes).whole;

	if (slot != CACHE_ARRAY_NONE) {
		cache_array_use(&l1->tags, slot);
		miss_classes_hit(&l1->classes, line);
	} else if (whole) {
		miss_classes_miss(&l1->classes, line);
		slot = place(l1, set, line, c, l1->tags.policy);
	} else {
		return;
	}
	bring(words_of(l1, slot), whole, 0);
}

/* A write or an atomic. Not in the loop, where reads would pay for its registers. */
static __attribute__((noinline)) uint64_t change_line(struct l1 *l1, const struct request *r,
                                                      uint64_t now_cycles, struct counters *c)
{
	bool is_atomic = r->kind == SITE_ATOMIC;
	uint64_t line = r->line >> l1->line_shift;
	uint32_t set = set_index_find(&l1->index, line);
	uint32_t slot = cache_array_find(&l1->tags, set, line);
	bool is_there = slot != CACHE_ARRAY_NONE;

	if (!is_atomic) {
		uint64_t there = is_there ? words_of(l1, slot)[0] : 0;
		uint64_t touched = sector_masks_find(r, l1->line_bytes, l1->sector_bytes).touched;

		c->write_sectors_hit += sector_runs_bits(touched & there);
		c->write_sectors_missed += sector_runs_bits(touched & ~there);
	}
	c->bytes_to_l2 += r->bytes_used;
	c->atomics += is_atomic;
	c->writes += !is_atomic;
	c->write_hits += is_there && !is_atomic;
	if (!is_atomic && l1->write == GPU_L1_WRITE_THROUGH_ALLOCATE) {
		write_into(l1, r, set, slot, line, c);
	} else if (is_there && (is_atomic || l1->write == GPU_L1_WRITE_THROUGH_EVICT)) {
		cache_array_take(&l1->tags, slot);
		miss_classes_take(&l1->classes, line);
	}
	if (l1->below)
		return l1_asks_change(l1, r, now_cycles);
	return is_atomic ? now_cycles + l1->miss_cycles : now_cycles;
}

INLINE uint64_t serve(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                      struct counters *c, enum gpu_policy policy, bool has_classes)
{
	c->lanes += r->lanes;
	c->bytes_asked += r->bytes_used;
	if (r->kind == SITE_READ)
		return read_line(l1, r, now_cycles, c, policy, has_classes);
	return change_line(l1, r, now_cycles, c);
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

uint64_t l1_sectors_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                            struct counters *counters)
{
	if (l1->has_classes)
		return serve_any(l1, r, now_cycles, counters, true);
	return serve_any(l1, r, now_cycles, counters, false);
}
