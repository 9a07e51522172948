/*
 * cache_array - the tags and replacement of a set-associative cache (private to this room).
 *
 * It manages sets, ways and keys (line numbers below UINT64_MAX). The caller maps keys to sets, and
 * keeps times, data and counts. Way w of set s is the slot s * ways + w as long as the line stays,
 * so a caller can keep further data of a line in its own arrays, by slot.
 *
 *   slot = cache_array_find(a, set, key);
 *   if (slot != CACHE_ARRAY_NONE)
 *           cache_array_use(a, slot);                 a hit
 *   else if ((slot = cache_array_victim(a, set)) != CACHE_ARRAY_NONE)
 *           cache_array_put(a, slot, key);            a miss; the old line is evicted
 *
 * Policies: replacement.def defines them exactly. Functions that end in _as take the policy as a
 * constant, for loops that are compiled once per policy; it must be the array's own.
 *
 * The time of a lookup, a use and a replacement does not grow with the ways, except for plru and
 * lfu (logarithm), srrip (a word per 64 ways), `ways` (at most 64), and sets with locked ways.
 * Memory: 9 to 32 bytes per way; unused ways are not touched.
 */
#ifndef CACHE_ARRAY_H
#define CACHE_ARRAY_H

#include "gpu.h"
#include "key_table.h"
#include "way_order.h"

#include <stdbool.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

struct err;

#define CACHE_ARRAY_NONE UINT32_MAX

enum { CACHE_ARRAY_SETS_MAX = 65536, CACHE_ARRAY_WAYS_MAX = 1024 };
enum { CACHE_ARRAY_SCANNED = 32 }; /* most ways of a set that are compared one by one */

struct cache_array_setup {
	uint32_t sets, ways;           /* 1..CACHE_ARRAY_SETS_MAX, 1..CACHE_ARRAY_WAYS_MAX */
	const struct gpu_spec *policy; /* enum gpu_policy; with its seed or weights */
	uint64_t stream;               /* distinguishes caches with one seed: SM, slice */
};

/* For plru, bit n for node n: the nodes above a way, and their values when it is used. */
struct way_path {
	uint64_t nodes, away;
};

struct cache_array {
	uint32_t sets, ways;
	uint32_t words; /* of 64 ways */
	enum gpu_policy policy;
	uint64_t inverse;      /* of ways, see cache_array_set() */
	uint64_t *keys;        /* by slot: key + 1; 0: empty */
	uint16_t *used_counts; /* by set */
	uint64_t *used;        /* by set, `words` each: ways with a line */
	uint64_t *locked;      /* the same: ways that must not be replaced */
	uint32_t locked_count; /* in all sets */
	bool is_wide;          /* more than WAY_ORDER_PACKED ways: orders are lists */
	bool has_table;        /* more than CACHE_ARRAY_SCANNED ways: */
	struct key_table table;
	uint64_t *digits;       /* by set: the order of lru, fifo and mru */
	struct way_link *links; /* by slot: the same, wide */
	struct way_ends *ends;  /* by set */
	uint64_t *bits;         /* by set: plru's tree, srrip's high bits and then its low ones */
	uint32_t tree_leaves;   /* of plru */
	struct way_path *paths; /* by way, of a tree of up to 64 leaves */
	uint64_t *stamps;       /* by slot: lfu, uses << 44 | time of the last */
	uint16_t *winners;      /* by slot: the least of them, wide */
	uint64_t now;           /* uses so far, of lfu */
	uint64_t random;        /* state of the generator */
	uint64_t *weights;      /* by way */
};

/* All empty; release with cache_array_release(), also after a failure. Returns 0, ERR_CONFIG if
 * sets, ways or weights are out of range, or ERR_NOMEM. */
int cache_array_init(struct cache_array *a, const struct cache_array_setup *s, struct err *err);
void cache_array_release(struct cache_array *a);

/* The slot of a line, or CACHE_ARRAY_NONE. Changes nothing, not even the policy's state. */
static inline uint32_t cache_array_find(const struct cache_array *a, uint32_t set, uint64_t key);

/* Record a use of the line in `slot`: a hit, for the policy. */
static inline void cache_array_use(struct cache_array *a, uint32_t slot);

/* Returns an empty slot, or the one to replace; CACHE_ARRAY_NONE if all ways are locked. Evicts
 * nothing yet, but may draw a random number, and ages srrip's lines. */
static inline uint32_t cache_array_victim(struct cache_array *a, uint32_t set);

/* Insert a line, replacing the one in the slot. `slot` is not locked; the key is not in its set. */
static inline void cache_array_put(struct cache_array *a, uint32_t slot, uint64_t key);

/* Empty and unlock `slot`, which has a line. */
static inline void cache_array_take(struct cache_array *a, uint32_t slot);

/* Lock a line that is on its way, so that it is not replaced. Locking twice is like once. `slot`
 * need not have a line: a locked empty one is not offered. */
void cache_array_lock(struct cache_array *a, uint32_t slot);
void cache_array_unlock(struct cache_array *a, uint32_t slot);

static inline bool cache_array_is_used(const struct cache_array *a, uint32_t slot)
{
	return a->keys[slot] != 0;
}

/* The slot must have a line. */
static inline uint64_t cache_array_key(const struct cache_array *a, uint32_t slot)
{
	return a->keys[slot] - 1;
}

#include "cache_array.inc"

/*
 * Prefetching the parts of an array that a request will need soon; changes nothing.
 */

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
