/*
 * bypass_carveout - each split of an SM's storage into L1 and local memory that a GPU's description
 * has (its sections [l1 NAME]), and what a recording does with it.
 */
#ifndef BYPASS_CARVEOUT_H
#define BYPASS_CARVEOUT_H

#include "array.h"
#include "bypass_measure.h"
#include "gpu.h"

#include <stdbool.h>
#include <stdint.h>

struct bypass_list;
struct bypass_run;
struct err;
struct launch_choice;

struct bypass_carveout {
	struct gpu gpu;
	uint64_t l1_bytes;
	uint32_t least_groups, most_groups; /* resident on an SM, of the launches */
	size_t refused;                     /* launches of which not even one group fits */
	struct bypass_measure cache_all;    /* of the others, */
	struct bypass_measure best;         /* and with the list; the same without one */
	bool is_chosen;                     /* the split that the report is of */
};

/*
 * Measure the splits, which are the GPU with each of its L1s, with *run's options and launches;
 * `list` is what is best with the chosen split, NULL for nothing. Appends to *splits
 * (struct bypass_carveout). Returns 0 or what replays return.
 */
int bypass_carveout_play(const struct bypass_run *run, const struct array *gpus,
                         const struct launch_choice *launches, const struct bypass_list *list,
                         struct array *splits, struct err *err);

/* Of those that hold the most launches the one with the least figure, cache-all or with the list,
 * whichever is less; the first of equals. count >= 1. */
size_t bypass_carveout_best(const struct bypass_carveout *splits, size_t count,
                            enum bypass_objective objective);

#endif
