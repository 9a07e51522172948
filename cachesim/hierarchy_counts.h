/*
 * hierarchy_counts - the counters of the levels below the L1s, for a launch.
 */
#ifndef HIERARCHY_COUNTS_H
#define HIERARCHY_COUNTS_H

#include "counters.h"

#include <stdbool.h>
#include <stddef.h>

/* All 0 and NULL with l2 = off. */
struct hierarchy_counts {
	bool is_on;
	struct l2_counters l2;      /* all slices */
	struct l2_counters *sites;  /* all slices, per site of the kernel's table */
	struct l2_counters *slices; /* per slice */
	size_t site_count, slice_count;
	struct dram_counters dram;      /* all channels */
	struct dram_counters *channels; /* per channel */
	size_t channel_count;
};

/* Add the sums of *more to those of *sum, which has no lists, and copy whether L2 is on. */
void hierarchy_counts_sum(struct hierarchy_counts *sum, const struct hierarchy_counts *more);

/* Free the lists. Accepts a zeroed struct. */
void hierarchy_counts_release(struct hierarchy_counts *c);

#endif
