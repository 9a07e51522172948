/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_chain.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

enum { VECTOR_BYTES = 64, COUNTERS = 4 };

static const size_t PLACES_LIMIT = (size_t)1 << 28;

static size_t key_bytes(const struct sweep_chain *c)
{
	return c->is_wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* Allocate empty keys: all ones. */
static void *alloc_keys(const struct sweep_chain *c, struct err *err)
{
	size_t bytes = c->key_count * key_bytes(c);
	void *keys = aligned_alloc(VECTOR_BYTES, bytes);

	if (keys)
		memset(keys, 0xff, bytes);
	else
		err_set(err, ERR_NOMEM, "out of memory for %zu places of LRU stacks", c->key_count);
	return keys;
}

/* Lay out the levels; the counts of each are COUNTERS times depth + 1. */
static int lay_out(struct sweep_chain *c, const struct set_index *indices, struct err *err)
{
	uint64_t *counts = c->counts;

	for (size_t i = 0; i < c->level_count; i++) {
		c->levels[i] = (struct sweep_level){ .index = indices[i], .first = c->key_count };
		c->levels[i].reads = counts;
		c->levels[i].writes = counts + c->depth + 1;
		c->levels[i].atomics = counts + 2 * ((size_t)c->depth + 1);
		c->levels[i].held = counts + 3 * ((size_t)c->depth + 1);
		counts += COUNTERS * ((size_t)c->depth + 1);
		c->key_count += (size_t)indices[i].sets * c->depth;
		if (c->key_count > PLACES_LIMIT)
			return err_set(err, ERR_LIMIT,
			               "the LRU stacks of all sets have more than 2^28 places: "
			               "expected fewer sets or ways");
	}
	return 0;
}

bool sweep_refines(const struct set_index *coarse, const struct set_index *fine)
{
	/* The Fermi function changes the lowest five bits, which both of its set counts have. */
	return coarse->kind == fine->kind && coarse->kind != GPU_L1_INDEX_XOR &&
	       coarse->kind != GPU_L1_INDEX_BITS && fine->sets % coarse->sets == 0;
}

int sweep_chain_init(struct sweep_chain *c, const struct set_index *indices, size_t count,
                     uint32_t ways, bool is_evicting, struct err *err)
{
	int ret;

	*c = (struct sweep_chain){ .level_count = count,
		                   .depth = (ways + SWEEP_PLACES - 1) / SWEEP_PLACES * SWEEP_PLACES,
		                   .is_evicting = is_evicting };
	c->levels = array_alloc(count, sizeof(*c->levels), "set counts", err);
	c->counts = array_alloc(count, COUNTERS * ((size_t)c->depth + 1) * sizeof(uint64_t),
	                        "counters", err);
	if (!c->levels || !c->counts)
		return ERR_NOMEM;
	ret = lay_out(c, indices, err);
	if (ret)
		return ret;
	c->keys = alloc_keys(c, err);
	return c->keys ? 0 : ERR_NOMEM;
}

void sweep_chain_release(struct sweep_chain *c)
{
	free(c->levels);
	free(c->counts);
	free(c->keys);
	free(c->missed);
	*c = (struct sweep_chain){ 0 };
}

/* Switch to keys of 64 bits, for a line that does not fit in 32. */
static int widen(struct sweep_chain *c, struct err *err)
{
	const uint32_t *narrow = c->keys;
	uint64_t *wide;

	c->is_wide = true;
	wide = alloc_keys(c, err);
	if (!wide)
		return ERR_NOMEM;
	for (size_t i = 0; i < c->key_count; i++)
		if (narrow[i] != UINT32_MAX)
			wide[i] = narrow[i];
	free(c->keys);
	c->keys = wide;
	return 0;
}

/* Make room for a miss of each request. */
static int make_room(struct sweep_chain *c, size_t count, struct err *err)
{
	c->missed_count = 0;
	if (c->missed_room >= count)
		return 0;
	free(c->missed);
	c->missed = array_alloc(count, sizeof(*c->missed), "misses of a batch", err);
	c->missed_room = c->missed ? count : 0;
	return c->missed ? 0 : ERR_NOMEM;
}

int sweep_chain_play(struct sweep_chain *c, const struct sweep_batch *batch, struct err *err)
{
	bool is_fast = sweep_has_avx512();

	if (make_room(c, batch->count, err))
		return ERR_NOMEM;
	if (!c->is_wide && batch->line_or >= UINT32_MAX && widen(c, err))
		return ERR_NOMEM;
	if (c->is_wide)
		(is_fast ? sweep_play_64_avx512 : sweep_play_64)(c, batch);
	else
		(is_fast ? sweep_play_32_avx512 : sweep_play_32)(c, batch);
	return 0;
}

static bool is_held(const struct sweep_chain *c, size_t place)
{
	if (c->is_wide)
		return ((const uint64_t *)c->keys)[place] != UINT64_MAX;
	return ((const uint32_t *)c->keys)[place] != UINT32_MAX;
}

void sweep_chain_empty(struct sweep_chain *c)
{
	for (size_t i = 0; i < c->level_count; i++) {
		struct sweep_level *l = &c->levels[i];
		size_t end = l->first + (size_t)l->index.sets * c->depth;

		for (size_t place = l->first; place < end; place++)
			l->held[place % c->depth] += is_held(c, place);
	}
	memset(c->keys, 0xff, c->key_count * key_bytes(c));
	c->has_holes = false;
}

#define KEY     uint32_t
#define NAME(x) x##_32
static inline uint32_t find_32(const uint32_t *stack, uint32_t depth, uint32_t key)
{
	uint32_t at = 0;

	while (at < depth && stack[at] != key)
		at++;
	return at;
}

static inline void put_first_32(uint32_t *stack, uint32_t place, uint32_t key)
{
	memmove(stack + 1, stack, place * sizeof(*stack));
	stack[0] = key;
}
#include "sweep_loop.inc"
#undef KEY
#undef NAME

#define KEY     uint64_t
#define NAME(x) x##_64
static inline uint32_t find_64(const uint64_t *stack, uint32_t depth, uint64_t key)
{
	uint32_t at = 0;

	while (at < depth && stack[at] != key)
		at++;
	return at;
}

static inline void put_first_64(uint64_t *stack, uint32_t place, uint64_t key)
{
	memmove(stack + 1, stack, place * sizeof(*stack));
	stack[0] = key;
}
#include "sweep_loop.inc"

void sweep_play_32(struct sweep_chain *c, const struct sweep_batch *batch)
{
	play_32(c, batch);
}

void sweep_play_64(struct sweep_chain *c, const struct sweep_batch *batch)
{
	play_64(c, batch);
}
