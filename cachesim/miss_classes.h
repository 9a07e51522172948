/*
 * miss_classes - why a read missed, exactly (private to this room; SEMANTICS 5).
 *
 * The first of these that holds:
 *   cold       no read referenced the line before, on this SM in this launch
 *   coherence  the line last left the cache because a write or an atomic removed it
 *   capacity   at least sets * ways other lines were read since the line's last read: a fully
 *              associative LRU cache of the same size would have missed as well
 *   conflict   all others: the line was evicted because too many lines share its set
 *
 * Writes and atomics are not references here. They allocate nothing and refresh nothing in L1, so
 * they cannot evict a line from a fully associative cache by replacement either. If one removes a
 * line, the next read of it is coherence, whatever its distance. In a cache of one set, sets * ways
 * lines were read after an evicted line, so there conflict is always 0.
 */
#ifndef MISS_CLASSES_H
#define MISS_CLASSES_H

#include "array.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * line_history - what happened to every line so far (private to this room): was it ever read, and
 * was it taken out of the cache by a write since it was last brought in.
 *
 * A page holds two bits for each of 256 neighbouring lines, one line of the host's; pages lie in
 * the order in which they came, and a growable open-addressing table finds them. Buffers that are
 * dense, as replay addresses are, make 1/512 of their bytes of pages, most of which stay in the
 * host's caches however the buffers are accessed. Scattered lines cost 100 to 200 bytes each. Grows
 * with the lines read, never with the length of the run.
 */

struct err;

/* What a line's past was when it is read. */
enum line_past {
	LINE_NEW,   /* never read */
	LINE_READ,  /* read before */
	LINE_TAKEN, /* read before, and taken out by a write since */
};

enum { LINE_HISTORY_PAGE_LINES = 256, LINE_HISTORY_READS = 256 };

struct line_history_entry {
	uint64_t key; /* line / LINE_HISTORY_PAGE_LINES + 1; 0: free */
	uint32_t page;
};

struct line_history {
	struct line_history_entry *entries;
	uint32_t bits;      /* there are 2^bits entries, at most half of them used */
	struct array pages; /* 64 bytes: of line i of a page bit 2i ever read, bit 2i + 1 taken */
	bool is_failed;     /* could not grow: what it answers since is not to be used */
};

/* Make an empty one. Returns 0 or ERR_NOMEM. */
int line_history_init(struct line_history *h, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void line_history_release(struct line_history *h);

/* The line is read and missed: what was its past? From now on it is LINE_READ. */
enum line_past line_history_read(struct line_history *h, uint64_t line);

/* A write takes the line, which was read before, out of the cache. */
void line_history_take(struct line_history *h, uint64_t line);

/*
 * full_lru - a fully associative LRU cache of lines (private to this room): the shadow that
 * tells capacity misses from conflict misses.
 *
 * It holds exactly the `capacity` distinct lines touched last, so a line is in it if and only if
 * fewer than `capacity` other lines were touched since its own last touch: its LRU stack distance
 * (Mattson 1970) is below `capacity`. No distance is ever computed.
 *
 * A hash table with chains finds a line, a ring in order of use finds the oldest: constant time,
 * made for some hundred lines that stay in the host's first-level cache. Memory is touched only
 * as lines come in.
 */

/* A held line. Node 0 is no line but where the ring begins and ends. */
struct full_lru_node {
	uint64_t line;
	uint32_t newer; /* ring, in order of last touch */
	uint32_t older;
	uint32_t next; /* in the chain of its hash; 0 ends it */
};

struct full_lru {
	struct full_lru_node *nodes; /* 1 + capacity */
	uint32_t *heads;             /* first node of each chain, or 0 */
	uint32_t capacity;
	uint32_t count;
	uint32_t hash_shift; /* there are 2^(64 - hash_shift) chains */
};

/* Make an empty one for `capacity` lines, 1..2^30. Returns 0 or ERR_NOMEM. */
int full_lru_init(struct full_lru *lru, uint32_t capacity, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void full_lru_release(struct full_lru *lru);

/* Make `line` the one used last, in place of the oldest when full. True when it was there. */
bool full_lru_touch(struct full_lru *lru, uint64_t line);

enum miss_class { MISS_COLD, MISS_COHERENCE, MISS_CAPACITY, MISS_CONFLICT, MISS_CLASSES };

enum { MISS_CLASSES_READS = 256 };

struct miss_classes {
	struct full_lru recent;
	struct line_history history;
};

/* For an empty cache of `line_count` lines, up to 2^30; 0: classes are not wanted, and every
 * answer is cold. Returns 0 or ERR_NOMEM; release it in every case. */
int miss_classes_init(struct miss_classes *m, uint32_t line_count, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void miss_classes_release(struct miss_classes *m);

/* Record a read that found its line, in the cache or on its way. */
void miss_classes_hit(struct miss_classes *m, uint64_t line);

/* Returns why a read did not find its line, which is brought in now. */
enum miss_class miss_classes_miss(struct miss_classes *m, uint64_t line);

/* Record reads of `count` lines one after another, at most MISS_CLASSES_READS, some of which
 * missed: adds the misses of each class to counts[]. */
void miss_classes_reads(struct miss_classes *m, const uint64_t *lines, const bool *has_missed,
                        size_t count, uint64_t counts[MISS_CLASSES]);

/* A write or an atomic removed the line, which was in the cache. */
void miss_classes_take(struct miss_classes *m, uint64_t line);

/* 0, or ERR_NOMEM if memory ran out: then the classes are invalid. */
int miss_classes_status(const struct miss_classes *m, struct err *err);

#endif
