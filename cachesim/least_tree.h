/*
 * least_tree - finds the way of a wide set with the least stamp (private to cache_array).
 *
 * A tree of winners (Knuth, TAOCP 3, 5.4.1) with the ways as leaves: node n of 1..ways-1 holds the
 * way that wins among its children 2n and 2n + 1; way w is node ways + w. For 2 ways and more. All
 * zeros at first; correct once every way has been updated.
 */
#ifndef LEAST_TREE_H
#define LEAST_TREE_H

#include <stdint.h>

/* The stamp of `way` has changed. */
static inline void least_tree_tell(uint16_t *winners, const uint64_t *stamps, uint32_t ways,
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

#endif
