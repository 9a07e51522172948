/*
 * curve_set - the miss-ratio curves of a GPU's L1, and the caches marked on them: the L1 of
 * the replay, and the others that the GPU can have.
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
	size_t left_out; /* other L1s of the GPU, of other lines or beyond CURVE_MARKS_MAX */
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
 * For the GPU of the replay and its other L1s; no launch yet. A changed L1 is marked both as
 * changed and as described. `is_exact` is that of miss_curve_create(). Returns as that function.
 * Release in every case.
 */
int curve_set_init(struct curve_set *c, const struct curve_gpu *gpu, bool is_exact,
                   struct err *err);
void curve_set_release(struct curve_set *c);

/* Whether the L1 of the replay is one of the caches of the curves: of whole lines, LRU, in which
 * writes bring nothing in, lines are not locked while they are on their way, and L2 takes none out.
 */
bool curve_set_is_exact(const struct curve_set *c);
bool curve_set_is_exact_for(const struct gpu *gpu);

/*
 * Where the caches of curves are not this L1: "caches that are not this L1, which differs in
 * sectors
 * (...)", with the shares of reads that miss in replay, and in a cache of a curve as large. ""
 * where the L1 is one of these caches. Returns `text`.
 */
enum { CURVE_OTHER_BYTES = 256 };
const char *curve_set_other_cache(char text[CURVE_OTHER_BYTES], const struct gpu *gpu,
                                  double replay_rate, double mark_rate);

/* The share of reads that miss at the mark of the L1 of the replay. */
double curve_set_own_rate(const struct curve_set *c);

/* The size of a cache of a curve. */
uint64_t curve_set_bytes(const struct curve_set *c, size_t curve, uint64_t ways);

/* "fully associative", "32 sets, xor". Returns `text`. */
const char *curve_set_name(const struct curve_set *c, size_t curve, char text[CURVE_NAME_BYTES]);

/* The mark on a point of a curve, or NULL. */
const struct curve_mark *curve_set_mark(const struct curve_set *c, size_t curve, uint64_t ways);

/*
 * A walk along a curve: from a point of 0 ways over those that are shown, up to the last that
 * still changes, or is known, and all marks. All up to 64 ways, then 32 in each power of two, and
 * the marks.
 */
struct curve_walk {
	const struct curve_set *set;
	size_t curve;
	uint64_t ways;
	uint64_t misses, reads;
	bool is_known;     /* false: of caches with sets as large as this misses are not known */
	bool is_estimate;  /* misses are; */
	double error;      /* as many more or less, */
	double ways_error; /* of a cache with as many ways more or less (reuse_counts.h) */
	uint64_t left;     /* of all, without the reads at distances passed so far */
};

struct curve_walk curve_walk_begin(const struct curve_set *c, size_t curve);

/* Go on to a point of that many ways, not fewer than now. */
void curve_walk_to(struct curve_walk *w, uint64_t ways);

/* Go on to the next point that is shown. False, without a step, after the last. */
bool curve_walk_next(struct curve_walk *w);

/* misses / reads; 0 without reads. */
double curve_walk_ratio(const struct curve_walk *w);

/* The largest errors of the fully associative curve: of misses, and of cold and taken reads, as a
 * share of all reads, and of ways, as a share of these; 0: it is exact. */
struct curve_error {
	double misses, ways;
};

struct curve_error curve_set_error(const struct curve_set *c);

#endif
