/*
 * bypass_study - makes, measures and compares bypass lists for each kernel of a recording, combines
 * the best into one list, and measures that with each split of an SM's storage.
 */
#ifndef BYPASS_STUDY_H
#define BYPASS_STUDY_H

#include "bypass_try.h"
#include "gpu.h"

struct launch_choice;

/* A sum over the replayed kernels. */
struct bypass_sum {
	bool is_there;
	size_t rules;
	struct bypass_measure measure;
};

/* A split of an SM's storage into L1 and local memory: a section [l1 NAME] of a GPU's description.
 */
struct bypass_split {
	struct gpu gpu;
	uint64_t l1_bytes;
	uint32_t least_groups, most_groups; /* resident on an SM, over the launches */
	size_t refused;                     /* launches of which no group fits */
	struct bypass_measure cache_all;    /* of the other launches: with all reads cached; */
	struct bypass_measure best;         /* with the best list, or cache_all if there is none */
};

struct bypass_study {
	/* Set by the caller as in bypass_run.h and bypass_try.h. */
	struct bypass_run run;
	struct bypass_wish wish;
	/* Results. */
	struct bypass_try *tries; /* count of them, one for each kernel */
	size_t count;
	struct bypass_list best; /* the best lists of all kernels */
	struct bypass_sum rows[BYPASS_ROWS],
		best_sum;    /* each kind of list; the best of each kernel */
	bool has_splits;     /* bypass_study_split() was called */
	struct array splits; /* struct bypass_split */
};

/* Try all kernels of the checked launches. The caller sets its members; the rest is zeroed. Release
 * in every case. Returns 0 or what bypass_try_play() returns. */
int bypass_study_make(struct bypass_study *s, const struct launch_choice *launches,
                      struct err *err);
void bypass_study_release(struct bypass_study *s);

/* Compute the sums; bypass_study_make() does. */
void bypass_study_sum(struct bypass_study *s);

/* Measure the best list on each of `gpus` (struct gpu): the GPU with each of its L1s. Call it at
 * most once. Returns 0 or what replays return. */
int bypass_study_split(struct bypass_study *s, const struct array *gpus,
                       const struct launch_choice *launches, struct err *err);

/* Returns the index of the best split: of those that hold the most launches, the first with the
 * least value of the objective, with or without the list. There must be a split. */
size_t bypass_study_best_split(const struct bypass_study *s);

#endif
