/*
 * way_order - an order of the ways of each set that hold a line, the newest first (private to
 * cache_array).
 *
 * With up to WAY_ORDER_PACKED ways a set is 16 digits of four bits in a word, otherwise a doubly
 * linked list; every operation takes constant time. The caller knows how many ways of a set are in
 * the order; digits and links beyond that are meaningless, so all zeros is empty.
 */
#ifndef WAY_ORDER_H
#define WAY_ORDER_H

#include <stdint.h>

/*
 * least_tree - finds the way of a wide set with the least stamp (private to cache_array).
 *
 * A tree of winners (Knuth, TAOCP 3, 5.4.1) with the ways as leaves: node n of 1..ways-1 holds the
 * way that wins among its children 2n and 2n + 1; way w is node ways + w. For 2 ways and more. All
 * zeros at first; correct once least_tree_update() was called for every way.
 */

/* The stamp of `way` has changed. */
static inline void least_tree_update(uint16_t *winners, const uint64_t *stamps, uint32_t ways,
                                     uint32_t way)
{
	for (uint32_t node = (ways + way) / 2; node; node /= 2) {
		uint32_t child = 2 * node;
		uint32_t a = child < ways ? winners[child] : child - ways;
		uint32_t b = child + 1 < ways ? winners[child + 1] : child + 1 - ways;

		winners[node] = (uint16_t)(stamps[b] < stamps[a] ? b : a);
	}
}

static inline uint32_t least_tree_way(const uint16_t *winners)
{
	return winners[1];
}

enum { WAY_ORDER_PACKED = 16 };

struct way_link {
	uint16_t newer, older; /* ways of the set; of the ends themselves meaningless */
};

struct way_ends {
	uint16_t newest, oldest;
};

/* The digits without `way`, which is one of them; those above it move down. */
static inline uint64_t way_digits_without(uint64_t digits, uint32_t way)
{
	const uint64_t ones = UINT64_C(0x1111111111111111);
	uint64_t differ = digits ^ way * ones;
	/* the lowest digit that is 0 in `differ` is exact (Warren, Hacker's Delight, 6-1) */
	uint64_t zeros = (differ - ones) & ~differ & ones << 3;
	uint32_t at = (uint32_t)__builtin_ctzll(zeros) & ~3u;
	uint64_t below = (UINT64_C(1) << at) - 1;

	return (digits & below) | (digits >> 4 & ~below);
}

static inline uint64_t way_digits_newest(uint64_t digits, uint32_t way)
{
	return digits << 4 | way;
}

/* The way at place `place`, 0 the newest. */
static inline uint32_t way_digits_at(uint64_t digits, uint32_t place)
{
	return (uint32_t)(digits >> 4 * place) & 15;
}

static inline void way_list_remove(struct way_link *links, struct way_ends *ends, uint32_t way)
{
	struct way_link link = links[way];

	if (ends->newest == way)
		ends->newest = link.older;
	else
		links[link.newer].older = link.older;
	if (ends->oldest == way)
		ends->oldest = link.newer;
	else
		links[link.older].newer = link.newer;
}

/* `count`: of the ways in the list, without this one. */
static inline void way_list_newest(struct way_link *links, struct way_ends *ends, uint32_t way,
                                   uint32_t count)
{
	if (count) {
		links[way].older = ends->newest;
		links[ends->newest].newer = (uint16_t)way;
	} else {
		ends->oldest = (uint16_t)way;
	}
	ends->newest = (uint16_t)way;
}

#endif
