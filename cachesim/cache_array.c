/* SPDX-License-Identifier: Apache-2.0 */
#include "cache_array.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

enum { KEYS_BEHIND = 3, TABLE_PLACES_MIN = 64 };

static int check(const struct cache_array_setup *s, struct err *err)
{
	uint64_t sum = 0;

	if (!s->sets || s->sets > CACHE_ARRAY_SETS_MAX)
		return err_set(err, ERR_CONFIG, "a cache of %u sets: expected 1..%d", s->sets,
		               CACHE_ARRAY_SETS_MAX);
	if (!s->ways || s->ways > CACHE_ARRAY_WAYS_MAX)
		return err_set(err, ERR_CONFIG, "a cache of %u ways: expected 1..%d", s->ways,
		               CACHE_ARRAY_WAYS_MAX);
	if (s->policy->kind != GPU_POLICY_WAYS)
		return 0;
	if (s->policy->count != s->ways)
		return err_set(err, ERR_CONFIG, "a cache of %u ways has %u probabilities", s->ways,
		               s->policy->count);
	for (uint32_t i = 0; i < s->ways; i++)
		sum += s->policy->list[i];
	return sum ? 0 : err_set(err, ERR_CONFIG, "all probabilities of a cache's ways are 0");
}

/* What every policy has. */
static int alloc_lines(struct cache_array *a, struct err *err)
{
	size_t lines = (size_t)a->sets * a->ways, places = TABLE_PLACES_MIN;

	a->keys = array_alloc(lines + KEYS_BEHIND, sizeof(*a->keys), "cache", err);
	a->used_counts = array_alloc(a->sets, sizeof(*a->used_counts), "cache", err);
	a->used = array_alloc(a->sets, a->words * sizeof(*a->used), "cache", err);
	a->locked = array_alloc(a->sets, a->words * sizeof(*a->locked), "cache", err);
	if (!a->keys || !a->used_counts || !a->used || !a->locked)
		return ERR_NOMEM;
	if (!a->has_table)
		return 0;
	while (places < 2 * lines)
		places *= 2;
	a->table.mask = (uint32_t)(places - 1);
	a->table.shift = 64 - (uint32_t)__builtin_ctzll(places);
	a->table.slots = array_alloc(places, sizeof(*a->table.slots), "cache", err);
	return a->table.slots ? 0 : ERR_NOMEM;
}

static int alloc_order(struct cache_array *a, struct err *err)
{
	size_t lines = (size_t)a->sets * a->ways;

	if (!a->is_wide) {
		a->digits = array_alloc(a->sets, sizeof(*a->digits), "cache", err);
		return a->digits ? 0 : ERR_NOMEM;
	}
	a->links = array_alloc(lines, sizeof(*a->links), "cache", err);
	a->ends = array_alloc(a->sets, sizeof(*a->ends), "cache", err);
	return a->links && a->ends ? 0 : ERR_NOMEM;
}

static int alloc_bits(struct cache_array *a, size_t words_of_set, struct err *err)
{
	a->bits = array_alloc(a->sets, words_of_set * sizeof(*a->bits), "cache", err);
	return a->bits ? 0 : ERR_NOMEM;
}

static int alloc_tree(struct cache_array *a, struct err *err)
{
	while (a->tree_leaves < a->ways)
		a->tree_leaves *= 2;
	if (a->tree_leaves > 64)
		return alloc_bits(a, a->tree_leaves / 64, err);
	a->paths = array_alloc(a->ways, sizeof(*a->paths), "cache", err);
	if (!a->paths)
		return ERR_NOMEM;
	for (uint32_t way = 0; way < a->ways; way++)
		for (uint32_t node = a->tree_leaves + way; node > 1; node /= 2) {
			a->paths[way].nodes |= UINT64_C(1) << node / 2;
			a->paths[way].away |= (uint64_t)(node % 2 == 0) << node / 2;
		}
	return alloc_bits(a, 1, err);
}

static int alloc_stamps(struct cache_array *a, struct err *err)
{
	size_t lines = (size_t)a->sets * a->ways;

	a->stamps = array_alloc(lines, sizeof(*a->stamps), "cache", err);
	if (a->stamps && a->is_wide)
		a->winners = array_alloc(lines, sizeof(*a->winners), "cache", err);
	return a->stamps && (a->winners || !a->is_wide) ? 0 : ERR_NOMEM;
}

static int alloc_weights(struct cache_array *a, const uint64_t *weights, struct err *err)
{
	a->weights = array_alloc(a->ways, sizeof(*a->weights), "cache", err);
	if (!a->weights)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < a->ways; i++)
		a->weights[i] = weights[i];
	return 0;
}

static int alloc_policy(struct cache_array *a, const struct gpu_spec *policy, struct err *err)
{
	switch (a->policy) {
	case GPU_POLICY_LRU:
	case GPU_POLICY_FIFO:
	case GPU_POLICY_MRU:
		return alloc_order(a, err);
	case GPU_POLICY_PLRU:
		return alloc_tree(a, err);
	case GPU_POLICY_SRRIP:
		return alloc_bits(a, 2 * (size_t)a->words, err);
	case GPU_POLICY_LFU:
		return alloc_stamps(a, err);
	case GPU_POLICY_WAYS:
		return alloc_weights(a, policy->list, err);
	case GPU_POLICY_RANDOM:
		break;
	}
	return 0;
}

int cache_array_init(struct cache_array *a, const struct cache_array_setup *s, struct err *err)
{
	int ret = check(s, err);

	*a = (struct cache_array){ 0 };
	if (ret)
		return ret;
	a->sets = s->sets;
	a->ways = s->ways;
	a->words = (s->ways + 63) / 64;
	a->policy = (enum gpu_policy)s->policy->kind;
	a->inverse = (UINT64_C(1) << 37) / s->ways + 1;
	a->is_wide = s->ways > WAY_ORDER_PACKED;
	a->has_table = s->ways > CACHE_ARRAY_SCANNED;
	a->tree_leaves = 1;
	a->random = s->policy->number ^ s->stream * UINT64_C(0xd1342543de82ef95);
	ret = alloc_lines(a, err);
	return ret ? ret : alloc_policy(a, s->policy, err);
}

void cache_array_release(struct cache_array *a)
{
	free(a->keys);
	free(a->used_counts);
	free(a->used);
	free(a->locked);
	free(a->table.slots);
	free(a->digits);
	free(a->links);
	free(a->ends);
	free(a->bits);
	free(a->paths);
	free(a->stamps);
	free(a->winners);
	free(a->weights);
	*a = (struct cache_array){ 0 };
}

static uint64_t *lock_word(struct cache_array *a, uint32_t slot, uint64_t *bit)
{
	uint32_t set = cache_array_set(a, slot), way = slot - set * a->ways;

	*bit = UINT64_C(1) << way % 64;
	return &a->locked[(size_t)set * a->words + way / 64];
}

void cache_array_lock(struct cache_array *a, uint32_t slot)
{
	uint64_t bit, *word = lock_word(a, slot, &bit);

	a->locked_count += !(*word & bit);
	*word |= bit;
}

void cache_array_unlock(struct cache_array *a, uint32_t slot)
{
	uint64_t bit, *word = lock_word(a, slot, &bit);

	a->locked_count -= !!(*word & bit);
	*word &= ~bit;
}
