/*
 * bypass_study - the bypass lists of a recording: each kernel's made, measured and compared, the
 * best of them as one list, and its effect with each split of an SM's storage.
 */
#ifndef BYPASS_STUDY_H
#define BYPASS_STUDY_H

#include "bypass_try.h"
#include "gpu.h"

struct launch_choice;

/* A sum over the kernels that were replayed. */
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
	size_t refused;                     /* launches of which not even one group fits */
	struct bypass_measure cache_all;    /* of the other launches: with all reads cached, */
	struct bypass_measure best;         /* and with the best list; cache_all without one */
};

struct bypass_study {
	/* Set by the caller, bypass_run.h and bypass_try.h say how. */
	struct bypass_run run;
	struct bypass_wish wish;
	/* Made here. */
	struct bypass_try *tries; /* count of them, one for each kernel */
	size_t count;
	struct bypass_list best; /* the best lists of all kernels */
	struct bypass_sum rows[BYPASS_ROWS],
		best_sum;    /* each kind of list; the best of each kernel */
	bool has_splits;     /* bypass_study_split() was called */
	struct array splits; /* struct bypass_split */
};

/* Try all kernels of the launches, which were checked; the caller's members are set, the rest is
 * zeroed. Release in every case. Returns 0 or what bypass_try_play() returns. */
int bypass_study_make(struct bypass_study *s, const struct launch_choice *launches,
                      struct err *err);
void bypass_study_release(struct bypass_study *s);

/* Compute the sums; bypass_study_make() does. */
void bypass_study_sum(struct bypass_study *s);

/* Measure the best list on each of `gpus` (struct gpu): the GPU with each of its L1s. Once at most.
 * Returns 0 or what replays return. */
int bypass_study_split(struct bypass_study *s, const struct array *gpus,
                       const struct launch_choice *launches, struct err *err);

/* The index of the best split: of those that hold the most launches, the one with the least figure
 * of the objective, with or without the list; the first of equals. There is a split. */
size_t bypass_study_best_split(const struct bypass_study *s);

#endif
