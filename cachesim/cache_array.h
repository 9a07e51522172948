/*
 * cache_array - the tags of a set-associative cache and what replaces what (private to this room).
 *
 * It knows sets, ways and keys (line numbers below UINT64_MAX); which set a key belongs to, times,
 * data and counts are the caller's. Way w of set s is the slot s * ways + w as long as the line
 * stays, so a caller keeps what else it knows of a line in arrays of its own, by slot.
 *
 *   slot = cache_array_find(a, set, key);
 *   if (slot != CACHE_ARRAY_NONE)
 *           cache_array_use(a, slot);                 a hit
 *   else if ((slot = cache_array_victim(a, set)) != CACHE_ARRAY_NONE)
 *           cache_array_put(a, slot, key);            a miss; what was there has left
 *
 * Policies: replacement.def has their exact definitions. The functions that end in _as take the
 * policy as a constant, for loops that are made once for each; it must be the array's own.
 *
 * Finding a line, a use and a replacement take a time that does not grow with the ways, but for
 * plru and lfu (its logarithm), srrip (a word for 64 ways), `ways` (at most 64), and for sets with
 * locked ways. Memory: 9 to 32 bytes a way; what no line has been in is not touched.
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
enum { CACHE_ARRAY_SCANNED = 32 }; /* ways of a set that are compared one by one, at most */

struct cache_array_setup {
	uint32_t sets, ways;           /* 1..CACHE_ARRAY_SETS_MAX, 1..CACHE_ARRAY_WAYS_MAX */
	const struct gpu_spec *policy; /* enum gpu_policy; with its seed or weights */
	uint64_t stream;               /* caches of one seed draw differently by it: SM, slice */
};

/* Of plru, bit n for node n: those above a way, and what they are when it is used. */
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
	uint64_t *locked;      /* the same: ways that cannot be replaced */
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

/* All empty; release with cache_array_release(), also after a failure. Returns 0, ERR_CONFIG for
 * sets, ways or weights out of range, ERR_NOMEM. */
int cache_array_init(struct cache_array *a, const struct cache_array_setup *s, struct err *err);
void cache_array_release(struct cache_array *a);

/* The slot of a line, or CACHE_ARRAY_NONE. Changes nothing: no policy sees it. */
static inline uint32_t cache_array_find(const struct cache_array *a, uint32_t set, uint64_t key);

/* The line in `slot` is used: a hit, as the policy sees it. */
static inline void cache_array_use(struct cache_array *a, uint32_t slot);

/* An empty slot, or the one to replace; CACHE_ARRAY_NONE when all ways are locked. Nothing leaves
 * yet; but it may draw, and srrip's lines age. */
static inline uint32_t cache_array_victim(struct cache_array *a, uint32_t set);

/* A line comes in, over what was there. `slot` is not locked; the key is not in its set. */
static inline void cache_array_put(struct cache_array *a, uint32_t slot, uint64_t key);

/* `slot`, which has a line, becomes empty and unlocked. */
static inline void cache_array_take(struct cache_array *a, uint32_t slot);

/* A line on its way is not replaced; locking twice is locking once. `slot` need not have a line:
 * an empty one that is locked is not offered. */
void cache_array_lock(struct cache_array *a, uint32_t slot);
void cache_array_unlock(struct cache_array *a, uint32_t slot);

static inline bool cache_array_is_used(const struct cache_array *a, uint32_t slot)
{
	return a->keys[slot] != 0;
}

/* Of a slot that has a line. */
static inline uint64_t cache_array_key(const struct cache_array *a, uint32_t slot)
{
	return a->keys[slot] - 1;
}

#include "cache_array.inc"

#endif
