/* SPDX-License-Identifier: Apache-2.0 */
/* What a full set replaces when some of its ways are locked, or when its policy has to look at all
 * of them. */
#include "cache_array.h"

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

/* Those in the order are looked at from the oldest on, or from the newest. */
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

/* Way number `place` of those there are. */
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
	struct choice c; /* as many words as the set has */
	uint32_t i = 0;

	c.count = 0;
	do {
		c.ways[i] = used[i] & ~locked[i];
		c.count += (uint32_t)__builtin_popcountll(c.ways[i]);
	} while (++i < a->words);
	return c.count ? set * a->ways + choose_way(a, set, &c) : CACHE_ARRAY_NONE;
}
