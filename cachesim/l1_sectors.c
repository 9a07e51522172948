/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of an L1 with sectors, with writes that allocate their line, with an outbox or an
 * observer, but without limits or write-back: what replays of current GPUs need. A fill is only the
 * cycle in which a sector arrives, stored with its slot, or, with an outbox, the ask that will
 * bring it. The stay of a line has the number of its slot, from 1. Compiled once for each policy,
 * with and without an observer: these are constants.
 */
#include "l1_private.h"
#include "sector_masks.h"

#include <assert.h>

#define INLINE static inline __attribute__((always_inline))

/* The words of a slot: the mask of sectors that are valid or on their way; then, for each of these,
 * the cycle in which it arrives or arrived, or its ask (l1_asks.h); last, with promotion, the mask
 * of promoted sectors that no request has asked for. */
INLINE uint64_t *words_of(const struct l1 *l1, uint32_t slot)
{
	return l1->sector_words + (size_t)slot * l1->slot_words;
}

/* Set the arrival cycle of sectors. */
INLINE void bring(uint64_t *words, uint64_t sectors, uint64_t cycle)
{
	words[0] |= sectors;
	for (; sectors; sectors &= sectors - 1)
		words[1 + __builtin_ctzll(sectors)] = cycle;
}

/* Begin the stay of a line in a slot. */
INLINE void begin_stay(struct l1 *l1, const struct request *r, uint32_t set, uint32_t slot,
                       uint64_t now_cycles)
{
	const struct l1_residency first = { .line = r->line >> l1->line_shift << l1->line_shift,
		                            .group = r->group,
		                            .warp = r->warp,
		                            .site = r->site,
		                            .buffer = r->buffer,
		                            .set = set,
		                            .in_cycles = now_cycles };

	l1_stays_begin_at(&l1->stays, slot + 1, &first);
	l1_stays_first(&l1->stays, slot + 1, r);
}

/* Allocate a slot of its set to a line, for a request in this cycle. */
INLINE uint32_t place(struct l1 *l1, const struct request *r, uint32_t set, uint64_t now_cycles,
                      struct counters *c, enum gpu_policy policy, bool is_observed)
{
	uint32_t slot = cache_array_victim_as(&l1->tags, set, policy);
	bool is_used = cache_array_is_used(&l1->tags, slot);

	c->evictions += is_used;
	if (is_observed && is_used)
		l1_stays_end(&l1->stays, slot + 1, now_cycles, L1_LEAVE_REPLACED);
	cache_array_put_as(&l1->tags, slot, r->line >> l1->line_shift, policy);
	words_of(l1, slot)[0] = 0;
	if (l1->promoted_sectors)
		words_of(l1, slot)[l1->slot_words - 1] = 0;
	if (is_observed)
		begin_stay(l1, r, set, slot, now_cycles);
	return slot;
}

/* Report the outcome of a request: fills in the rest of *o. */
INLINE void report(struct l1 *l1, const struct request *r, struct l1_outcome *o,
                   uint64_t now_cycles)
{
	uint32_t touched = 1, count = o->sectors != 0;

	if (l1->sector_bytes < l1->line_bytes) {
		touched = sector_runs_bits(
			sector_masks_find(r, l1->line_bytes, l1->sector_bytes).touched);
		count = sector_runs_bits(o->sectors);
	}
	o->cycle = now_cycles;
	o->bytes_touched = touched * l1->sector_bytes;
	o->bytes_fetched = count * l1->sector_bytes;
	if (now_cycles > l1->now)
		l1->now = now_cycles;
	if (o->sectors && now_cycles + l1->miss_cycles > l1->now)
		l1->now = now_cycles + l1->miss_cycles; /* its arrival */
	l1->observer->served(l1->observer->context, r, o);
}

/* Fetch sectors, for which only `waiter` waits. Returns their word. */
INLINE uint64_t fetch(struct l1 *l1, const struct request *r, uint32_t slot, uint64_t sectors,
                      uint32_t waiter, uint64_t now_cycles)
{
	uint64_t word = now_cycles + l1->miss_cycles;

	if (l1->below)
		word = l1_asks_read(l1, r, sectors, slot, waiter, now_cycles);
	bring(words_of(l1, slot), sectors, word);
	return word;
}

/* Count fetched sectors; those not touched are promoted. */
INLINE void count_fetch(uint64_t *promoted, uint64_t sectors, uint64_t touched,
                        struct l1_sector_counts *n)
{
	uint64_t more = sectors & ~touched;

	n->missed = sector_runs_bits(sectors & touched);
	if (more) {
		n->promoted = sector_runs_bits(more);
		*promoted |= more;
	}
}

/* Count present sectors; promoted ones among them are requested now. */
INLINE void count_present(const struct l1 *l1, uint64_t *promoted, uint64_t present,
                          struct l1_sector_counts *n)
{
	if (l1->promoted_sectors && *promoted & present) {
		uint64_t first = *promoted & present;

		n->promoted_hit = sector_runs_bits(first);
		*promoted &= ~first;
		present &= ~first;
	}
	n->hit = sector_runs_bits(present);
}

INLINE void add_sectors(const struct l1 *l1, struct counters *c, const struct l1_sector_counts *n)
{
	c->bytes_from_l2 += (uint64_t)(n->missed + n->promoted) * l1->sector_bytes;
	c->sectors_hit += n->hit;
	c->sectors_missed += n->missed;
	c->sectors_promoted += n->promoted;
	c->sectors_promoted_hit += n->promoted_hit;
}

/* Serve a read of a line that is in L1 or on its way. Returns the cycle of its data. */
INLINE uint64_t read_found(struct l1 *l1, const struct request *r, uint32_t slot, uint64_t touched,
                           uint64_t now_cycles, struct counters *c, struct l1_outcome *o)
{
	uint64_t *words = words_of(l1, slot), missing = touched & ~words[0];
	uint64_t data = now_cycles + l1->hit_cycles, last = 0,
		 *promoted = &words[l1->slot_words - 1];
	bool is_later = false;

	count_present(l1, promoted, touched & ~missing, &o->counts);
	if (missing) {
		o->sectors = missing | (l1_promoted(l1, r, touched) & ~words[0]);
		c->read_misses++;
		c->sector++;
		count_fetch(promoted, o->sectors, touched, &o->counts);
		fetch(l1, r, slot, o->sectors, L1_ASK_NONE, now_cycles);
	}
	add_sectors(l1, c, &o->counts);
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
	o->event = missing ? L1_SECTOR : last > now_cycles ? L1_PENDING : L1_HIT;
	data = last > data ? last : data;
	if (!is_later)
		return data;
	l1_asks_wait(l1, r, words, touched, data);
	return MEMORY_LATER;
}

/* Serve a read of a line that is not in L1. Returns the cycle of its data. */
INLINE uint64_t read_new(struct l1 *l1, const struct request *r, uint32_t slot, uint64_t touched,
                         uint64_t now_cycles, struct counters *c, struct l1_outcome *o)
{
	uint64_t *words = words_of(l1, slot), word;

	o->sectors = touched | l1_promoted(l1, r, touched);
	count_fetch(&words[l1->slot_words - 1], o->sectors, touched, &o->counts);
	add_sectors(l1, c, &o->counts);
	word = fetch(l1, r, slot, o->sectors, r->waiter, now_cycles);
	return word & L1_ASK_BIT ? MEMORY_LATER : word;
}

INLINE uint64_t read_line(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                          struct counters *c, enum gpu_policy policy, bool has_classes,
                          bool is_observed)
{
	uint64_t line = r->line >> l1->line_shift;
	struct l1_outcome o = { .set = set_index_find(&l1->index, line) };
	uint32_t slot = cache_array_find(&l1->tags, o.set, line);
	uint64_t touched = sector_masks_find(r, l1->line_bytes, l1->sector_bytes).touched, data;

	c->reads++;
	if (slot != CACHE_ARRAY_NONE) {
		cache_array_use_as(&l1->tags, slot, policy);
		if (has_classes)
			miss_classes_hit(&l1->classes, line);
		data = read_found(l1, r, slot, touched, now_cycles, c, &o);
		if (is_observed)
			l1_stays_use(&l1->stays, slot + 1, r);
	} else {
		c->read_misses++;
		o.event = (enum l1_event)(L1_COLD + l1_classify(l1, line, c, has_classes));
		slot = place(l1, r, o.set, now_cycles, c, policy, is_observed);
		data = read_new(l1, r, slot, touched, now_cycles, c, &o);
	}
	if (is_observed) {
		l1_stays_move(&l1->stays, slot + 1, o.sectors);
		report(l1, r, &o, now_cycles);
	}
	return data;
}

/* Serve a write with through_allocate. */
static void write_into(struct l1 *l1, const struct request *r, uint32_t set, uint32_t slot,
                       uint64_t now_cycles, struct counters *c)
{
	uint64_t whole = sector_masks_find(r, l1->line_bytes, l1->sector_bytes).whole;
	uint64_t line = r->line >> l1->line_shift;

	if (slot != CACHE_ARRAY_NONE) {
		cache_array_use(&l1->tags, slot);
		miss_classes_hit(&l1->classes, line);
		if (l1->observer)
			l1_stays_use(&l1->stays, slot + 1, r);
	} else if (whole) {
		miss_classes_miss(&l1->classes, line);
		slot = place(l1, r, set, now_cycles, c, l1->tags.policy, l1->observer != NULL);
	} else {
		return;
	}
	bring(words_of(l1, slot), whole, 0);
}

/* Evict the line because it is changed below. */
static void take_out(struct l1 *l1, uint32_t slot, uint64_t line, uint64_t now_cycles,
                     enum l1_leave reason)
{
	if (l1->observer)
		l1_stays_end(&l1->stays, slot + 1, now_cycles, reason);
	cache_array_take(&l1->tags, slot);
	miss_classes_take(&l1->classes, line);
}

/* Serve a write or an atomic. Not inlined, because its registers would slow down reads. */
static __attribute__((noinline)) uint64_t change_line(struct l1 *l1, const struct request *r,
                                                      uint64_t now_cycles, struct counters *c)
{
	bool is_atomic = r->kind == SITE_ATOMIC;
	uint64_t line = r->line >> l1->line_shift;
	uint32_t set = set_index_find(&l1->index, line);
	uint32_t slot = cache_array_find(&l1->tags, set, line);
	bool is_there = slot != CACHE_ARRAY_NONE;
	struct l1_outcome o = { .event = is_atomic  ? L1_ATOMIC
		                         : is_there ? L1_WRITE_HIT
		                                    : L1_WRITE,
		                .set = set };

	if (!is_atomic) {
		uint64_t there = is_there ? words_of(l1, slot)[0] : 0;
		uint64_t touched = sector_masks_find(r, l1->line_bytes, l1->sector_bytes).touched;

		o.counts.hit = sector_runs_bits(touched & there);
		o.counts.missed = sector_runs_bits(touched & ~there);
		c->write_sectors_hit += o.counts.hit;
		c->write_sectors_missed += o.counts.missed;
	}
	c->bytes_to_l2 += r->bytes_used;
	c->atomics += is_atomic;
	c->writes += !is_atomic;
	c->write_hits += is_there && !is_atomic;
	if (!is_atomic && l1->write == GPU_L1_WRITE_THROUGH_ALLOCATE) {
		write_into(l1, r, set, slot, now_cycles, c);
	} else if (is_there) {
		if (l1->observer && !is_atomic)
			l1_stays_use(&l1->stays, slot + 1, r);
		if (is_atomic || l1->write == GPU_L1_WRITE_THROUGH_EVICT)
			take_out(l1, slot, line, now_cycles,
			         is_atomic ? L1_LEAVE_ATOMIC : L1_LEAVE_WRITTEN);
	}
	if (l1->observer)
		report(l1, r, &o, now_cycles);
	if (l1->below)
		return l1_asks_change(l1, r, now_cycles);
	return is_atomic ? now_cycles + l1->miss_cycles : now_cycles;
}

INLINE uint64_t serve(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                      struct counters *c, enum gpu_policy policy, bool has_classes,
                      bool is_observed)
{
	c->lanes += r->lanes;
	c->bytes_asked += r->bytes_used;
	if (r->kind == SITE_READ)
		return read_line(l1, r, now_cycles, c, policy, has_classes, is_observed);
	return change_line(l1, r, now_cycles, c);
}

INLINE uint64_t serve_any(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                          struct counters *c, bool has_classes, bool is_observed)
{
	switch (l1->tags.policy) {
#define REPLACEMENT(NAME, word, text)                                                              \
	case GPU_POLICY_##NAME:                                                                    \
		return serve(l1, r, now_cycles, c, GPU_POLICY_##NAME, has_classes, is_observed);
#include "replacement.def"
#undef REPLACEMENT
	}
	assert(false);
	return now_cycles;
}

uint64_t l1_sectors_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                            struct counters *counters)
{
	if (l1->observer)
		return serve_any(l1, r, now_cycles, counters, true, true);
	if (l1->has_classes)
		return serve_any(l1, r, now_cycles, counters, true, false);
	return serve_any(l1, r, now_cycles, counters, false, false);
}

void l1_sectors_end(struct l1 *l1)
{
	for (uint32_t slot = 0; slot < l1->tags.sets * l1->tags.ways; slot++)
		if (cache_array_is_used(&l1->tags, slot))
			l1_stays_end(&l1->stays, slot + 1, l1->now, L1_LEAVE_END);
}
