/* SPDX-License-Identifier: Apache-2.0 */
#include "cache_array.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

/* Chooses the victim of a full set if some of its ways are locked, or if its policy must examine
 * all of them. */

enum { WORDS_MAX = CACHE_ARRAY_WAYS_MAX / 64 };

/* The ways of a set that can be replaced. */
struct choice {
	uint64_t ways[WORDS_MAX];
	uint32_t count;
};

static uint32_t lowest(uint64_t word)
{
	return (uint32_t)__builtin_ctzll(word);
}

static bool has_way(const struct choice *c, uint32_t way)
{
	return c->ways[way / 64] >> way % 64 & 1;
}

/* The ways of word `word` of a set. */
static uint64_t all_ways(const struct cache_array *a, uint32_t word)
{
	uint32_t left = a->ways - word * 64;

	return left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
}

uint32_t cache_array_empty(const struct cache_array *a, uint32_t set)
{
	const uint64_t *used = a->used + (size_t)set * a->words;
	const uint64_t *locked = a->locked + (size_t)set * a->words;

	for (uint32_t i = 0; i < a->words; i++) {
		uint64_t empty = ~(used[i] | locked[i]) & all_ways(a, i);

		if (empty)
			return set * a->ways + i * 64 + lowest(empty);
	}
	return CACHE_ARRAY_NONE;
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014) */
uint64_t cache_array_draw(struct cache_array *a)
{
	uint64_t z = a->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Choose by the order of the ways, searched from the oldest or from the newest. */
static uint32_t choose_digit(const struct cache_array *a, uint32_t set, const struct choice *c,
                             bool is_newest)
{
	uint32_t count = a->used_counts[set], way;

	for (uint32_t i = 0; i < count; i++) {
		way = way_digits_at(a->digits[set], is_newest ? i : count - 1 - i);
		if (has_way(c, way))
			return way;
	}
	return CACHE_ARRAY_NONE;
}

static uint32_t choose_link(const struct cache_array *a, uint32_t set, const struct choice *c,
                            bool is_newest)
{
	const struct way_link *links = a->links + (size_t)set * a->ways;
	uint32_t way = is_newest ? a->ends[set].newest : a->ends[set].oldest;

	while (!has_way(c, way))
		way = is_newest ? links[way].older : links[way].newer;
	return way;
}

static bool has_between(const struct choice *c, uint32_t from, uint32_t end)
{
	while (from < end && !has_way(c, from))
		from++;
	return from < end;
}

static uint32_t choose_leaf(const struct cache_array *a, uint32_t set, const struct choice *c)
{
	const uint64_t *bits = a->bits + (size_t)set * ((a->tree_leaves + 63) / 64);
	uint32_t node = 1, way = 0;

	for (uint32_t half = a->tree_leaves / 2; half; half /= 2) {
		bool is_upper = bits[node / 64] >> node % 64 & 1;

		if (!has_between(c, way + is_upper * half, way + is_upper * half + half))
			is_upper = !is_upper;
		way += is_upper * half;
		node = 2 * node + is_upper;
	}
	return way;
}

/* Returns way number `place` of the choice. */
static uint32_t nth(const struct cache_array *a, const struct choice *c, uint32_t place)
{
	uint32_t i = 0, count;
	uint64_t word;

	while (i + 1 < a->words && place >= (count = (uint32_t)__builtin_popcountll(c->ways[i]))) {
		place -= count;
		i++;
	}
	for (word = c->ways[i]; place; place--)
		word &= word - 1;
	return i * 64 + lowest(word);
}

static uint32_t choose_weighted(struct cache_array *a, const struct choice *c)
{
	uint64_t sum = 0, drawn;
	uint64_t left; /* at most GPU_SPEC_MAX ways have weights */

	for (left = c->ways[0]; left; left &= left - 1)
		sum += a->weights[lowest(left)];
	if (!sum)
		return nth(a, c, 0);
	drawn = cache_array_draw(a) % sum;
	for (left = c->ways[0]; drawn >= a->weights[lowest(left)]; left &= left - 1)
		drawn -= a->weights[lowest(left)];
	return lowest(left);
}

static uint32_t choose_rarest(const struct cache_array *a, uint32_t set, const struct choice *c)
{
	const uint64_t *stamps = a->stamps + (size_t)set * a->ways;
	uint64_t least = UINT64_MAX;
	uint32_t way = CACHE_ARRAY_NONE;

	for (uint32_t i = 0; i < a->words; i++)
		for (uint64_t left = c->ways[i]; left; left &= left - 1) {
			uint32_t at = i * 64 + lowest(left);
			bool is_less = stamps[at] < least;

			least = is_less ? stamps[at] : least;
			way = is_less ? at : way;
		}
	return way;
}

static uint32_t choose_distant(struct cache_array *a, uint32_t set, const struct choice *c)
{
	uint64_t *high = a->bits + 2 * (size_t)set * a->words, *low = high + a->words;

	for (;;) {
		for (uint32_t i = 0; i < a->words; i++)
			if (high[i] & low[i] & c->ways[i])
				return i * 64 + lowest(high[i] & low[i] & c->ways[i]);
		for (uint32_t i = 0; i < a->words; i++) {
			uint64_t threes = high[i] & low[i];

			high[i] |= low[i];
			low[i] = ~low[i] | threes;
		}
	}
}

static uint32_t choose_way(struct cache_array *a, uint32_t set, const struct choice *c)
{
	bool is_newest = a->policy == GPU_POLICY_MRU;

	switch (a->policy) {
	case GPU_POLICY_LRU:
	case GPU_POLICY_FIFO:
	case GPU_POLICY_MRU:
		return a->is_wide ? choose_link(a, set, c, is_newest)
		                  : choose_digit(a, set, c, is_newest);
	case GPU_POLICY_PLRU:
		return choose_leaf(a, set, c);
	case GPU_POLICY_RANDOM:
		return nth(a, c, (uint32_t)((cache_array_draw(a) >> 32) * c->count >> 32));
	case GPU_POLICY_LFU:
		return choose_rarest(a, set, c);
	case GPU_POLICY_SRRIP:
		return choose_distant(a, set, c);
	case GPU_POLICY_WAYS:
		return choose_weighted(a, c);
	}
	return CACHE_ARRAY_NONE;
}

uint32_t cache_array_choose(struct cache_array *a, uint32_t set)
{
	const uint64_t *used = a->used + (size_t)set * a->words;
	const uint64_t *locked = a->locked + (size_t)set * a->words;
	struct choice c; /* the words of the set are initialised */
	uint32_t i = 0;

	c.count = 0;
	do {
		c.ways[i] = used[i] & ~locked[i];
		c.count += (uint32_t)__builtin_popcountll(c.ways[i]);
	} while (++i < a->words);
	return c.count ? set * a->ways + choose_way(a, set, &c) : CACHE_ARRAY_NONE;
}

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

/* Allocate what every policy needs. */
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
