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
 * line_history - the history of every line (private to this room): whether it was ever read, and
 * whether a write removed it from the cache since it was last brought in.
 *
 * A page has two bits for each of 256 neighbouring lines: 64 bytes, a cache line of the host. Pages
 * are stored in order of first use, and a growable open-addressing table finds them. For dense
 * buffers, as replay addresses are, pages take 1/512 of the bytes of the buffers, so most of them
 * stay in the host's caches whatever the order of accesses. Scattered lines cost 100 to 200 bytes
 * each. Memory grows with the lines read, never with the length of the run.
 */

struct err;

/* The past of a line when it is read. */
enum line_past {
	LINE_NEW,   /* never read */
	LINE_READ,  /* read before */
	LINE_TAKEN, /* read before, and removed by a write since */
};

enum { LINE_HISTORY_PAGE_LINES = 256, LINE_HISTORY_READS = 256 };

struct line_history_entry {
	uint64_t key; /* line / LINE_HISTORY_PAGE_LINES + 1; 0: free */
	uint32_t page;
};

struct line_history {
	struct line_history_entry *entries;
	uint32_t bits;      /* there are 2^bits entries, at most half of them used */
	struct array pages; /* 64 bytes: for line i bit 2i: ever read, bit 2i + 1: taken */
	bool is_failed;     /* out of memory: results since then are invalid */
};

/* Make *h empty. Returns 0 or ERR_NOMEM; release it in every case. */
int line_history_init(struct line_history *h, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void line_history_release(struct line_history *h);

/* Record a read that missed. Returns the line's past, which is LINE_READ from now on. */
enum line_past line_history_read(struct line_history *h, uint64_t line);

/* Record that a write removed the line, which was read before, from the cache. */
void line_history_take(struct line_history *h, uint64_t line);

/*
 * full_lru - a fully associative LRU cache of lines (private to this room): the shadow cache that
 * distinguishes capacity misses from conflict misses.
 *
 * It holds exactly the `capacity` distinct lines touched last. So a line is in it if and only if
 * fewer than `capacity` other lines were touched since its own last touch, that is, if its LRU
 * stack distance (Mattson 1970) is below `capacity`. No distance is computed.
 *
 * A chained hash table finds a line, and a ring in order of use finds the oldest. Both take
 * constant time, and with a few hundred lines they stay in the host's first-level cache. Memory is
 * touched only as lines come in.
 */

/* A line in the cache. Node 0 is not a line: it is the start and the end of the ring. */
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

/* Make *lru empty, for `capacity` lines, 1..2^30. Returns 0 or ERR_NOMEM; release it in every case.
 */
int full_lru_init(struct full_lru *lru, uint32_t capacity, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void full_lru_release(struct full_lru *lru);

/* Make `line` the most recently used line; if the cache is full and lacks it, it replaces the
 * oldest. Returns whether it was in the cache. */
bool full_lru_touch(struct full_lru *lru, uint64_t line);

enum miss_class { MISS_COLD, MISS_COHERENCE, MISS_CAPACITY, MISS_CONFLICT, MISS_CLASSES };

enum { MISS_CLASSES_READS = 256 };

struct miss_classes {
	struct full_lru recent;
	struct line_history history;
};

/* Prepare for an empty cache of `line_count` lines, up to 2^30; 0: no classes, every result is
 * cold. Returns 0 or ERR_NOMEM; release it in every case. */
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
