/*
 * curve_set - the miss-ratio curves of a GPU's L1, with marks for the L1 of the replay and the
 * GPU's other L1 configurations.
 */
#ifndef CURVE_SET_H
#define CURVE_SET_H

#include "gpu.h"
#include "miss_curve.h"

#include <stdbool.h>

struct err;

enum { CURVE_NAME_BYTES = 64, CURVE_MARKS_MAX = 16 };

/* Curve 0 is the fully associative one; the others have the sets of an L1. */
struct curve_sets {
	uint32_t sets;
	struct gpu_spec index;
};

struct curve_mark {
	char name[CURVE_NAME_BYTES]; /* "L1 16k" */
	size_t curve;                /* never 0 */
	uint32_t ways;
	uint64_t bytes;
};

struct curve_set {
	struct gpu gpu; /* of the replay */
	struct curve_sets curves[MISS_CURVE_MAX];
	size_t curve_count;
	struct curve_mark marks[CURVE_MARKS_MAX]; /* the first is the L1 of the replay */
	size_t mark_count;
	size_t left_out; /* other L1s of the GPU, with other lines or beyond CURVE_MARKS_MAX */
	struct miss_curve *counts;
	size_t launches;
};

/* A GPU and its L1s; borrowed. */
struct curve_gpu {
	const struct gpu *played;
	const struct gpu *described; /* the same GPU as described, without changes */
	const struct gpu *l1s;       /* that GPU with each L1 of its description */
	size_t l1_count;
};

/*
 * Prepare curves for the GPU of the replay and its other L1s. A changed L1 is marked both as
 * changed and as described. `is_exact` is that of miss_curve_create(). Returns as that function.
 * Release in every case.
 */
int curve_set_init(struct curve_set *c, const struct curve_gpu *gpu, bool is_exact,
                   struct err *err);
void curve_set_release(struct curve_set *c);

/* Whether the curves describe the L1 of the replay: LRU with whole lines, without write allocation,
 * without locking of pending lines, and without invalidation by L2.
 */
bool curve_set_is_exact(const struct curve_set *c);
bool curve_set_is_exact_for(const struct gpu *gpu);

/*
 * If the curves do not describe this L1: "caches that are not this L1, which differs in sectors
 * (...)", with the shares of reads that miss in the replay and in a cache of that size on a curve;
 * else "". Returns `text`.
 */
enum { CURVE_OTHER_BYTES = 256 };
const char *curve_set_other_cache(char text[CURVE_OTHER_BYTES], const struct gpu *gpu,
                                  double replay_rate, double mark_rate);

/* Returns the share of reads that miss at the mark of the replay's L1. */
double curve_set_own_rate(const struct curve_set *c);

/* Returns the size of a cache on a curve. */
uint64_t curve_set_bytes(const struct curve_set *c, size_t curve, uint64_t ways);

/* "fully associative", "32 sets, xor". Returns `text`. */
const char *curve_set_name(const struct curve_set *c, size_t curve, char text[CURVE_NAME_BYTES]);

/* Returns the mark on a point of a curve, or NULL. */
const struct curve_mark *curve_set_mark(const struct curve_set *c, size_t curve, uint64_t ways);

/*
 * A walk along a curve over the points that are shown: 0 to 64 ways, then 32 points in each power
 * of two, and all marks, up to the last point that changes or is known.
 */
struct curve_walk {
	const struct curve_set *set;
	size_t curve;
	uint64_t ways;
	uint64_t misses, reads;
	bool is_known;     /* false: misses of caches with that many ways are not known */
	bool is_estimate;  /* misses are estimates; */
	double error;      /* standard error of misses, */
	double ways_error; /* and of ways (reuse_counts.h) */
	uint64_t left;     /* reads, minus those at distances passed so far */
};

struct curve_walk curve_walk_begin(const struct curve_set *c, size_t curve);

/* Advance to the point with `ways` ways, which must not be fewer than now. */
void curve_walk_to(struct curve_walk *w, uint64_t ways);

/* Advance to the next shown point. False, without advancing, after the last. */
bool curve_walk_next(struct curve_walk *w);

/* Returns misses / reads, or 0 without reads. */
double curve_walk_ratio(const struct curve_walk *w);

/* Returns the largest errors of the fully associative curve: of misses, cold and taken reads, as a
 * share of all reads, and of ways, as a share of the ways; 0: exact. */
struct curve_error {
	double misses, ways;
};

struct curve_error curve_set_error(const struct curve_set *c);

#endif
