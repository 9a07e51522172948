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

#include "full_lru.h"
#include "line_history.h"

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
