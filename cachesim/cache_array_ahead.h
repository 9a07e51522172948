/*
 * cache_array_ahead - prefetches the parts of a cache_array that a request will need soon (private
 * to this room). Changes nothing.
 */
#ifndef CACHE_ARRAY_AHEAD_H
#define CACHE_ARRAY_AHEAD_H

#include "cache_array.h"

/* Prefetch what cache_array_find() reads first. */
static inline void cache_array_fetch_ahead(const struct cache_array *a, uint32_t set, uint64_t key)
{
	const uint64_t *keys = a->keys + (size_t)set * a->ways;

	if (a->has_table) {
		__builtin_prefetch(&a->table.slots[key_table_home(&a->table, key + 1)]);
		return;
	}
	for (uint32_t i = 0; i < a->ways; i += 8)
		__builtin_prefetch(keys + i);
}

/* The slot of a full set that LRU or FIFO replaces next; otherwise CACHE_ARRAY_NONE. */
static inline uint32_t cache_array_oldest(const struct cache_array *a, uint32_t set)
{
	if (a->used_counts[set] < a->ways ||
	    (a->policy != GPU_POLICY_LRU && a->policy != GPU_POLICY_FIFO))
		return CACHE_ARRAY_NONE;
	return set * a->ways +
	       (a->is_wide ? a->ends[set].oldest : way_digits_at(a->digits[set], a->ways - 1));
}

#endif
