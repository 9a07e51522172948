/*
 * stats_sum - statistics of several launches: of sites for each kernel, of buffers for all.
 */
#ifndef STATS_SUM_H
#define STATS_SUM_H

#include "sum_rows.h"

#include <stdbool.h>

struct err;
struct recorded_launch;
struct recording;

/* Where the rows of a table come from; all borrowed. */
struct stats_source {
	const struct recording *recording;
	uint32_t kernel;
	const struct recorded_launch *launch; /* NULL: several */
	const struct l1_stats_list *lists;    /* L1_STATS_TABLES of them */
	const struct l1_stats_row *all;       /* their sum */
};

/* Those rows, as sum_rows_make() makes them; groups and windows only of one launch. */
int stats_source_rows(const struct stats_source *from, enum sum_kind kind, struct sum_rows *rows,
                      struct err *err);

/* The last group, or cycle, of a row of these. */
uint64_t stats_source_last(const struct stats_source *from, const struct sum_rows *rows,
                           const struct sum_row *row);

/* Launches of a kernel; only the table of sites has rows, or that of buffers. */
struct stats_launches {
	uint64_t launches;
	struct l1_stats_list lists[L1_STATS_TABLES];
	struct l1_stats_row all;
};

struct stats_sum {
	const struct recording *recording; /* borrowed */
	struct stats_launches *kernels;    /* of the recording */
	uint32_t kernel_count;
	struct stats_launches everything;
};

/* Nothing yet. Returns 0 or ERR_NOMEM. Release it in every case; a zeroed one may be. */
int stats_sum_init(struct stats_sum *sum, const struct recording *r, struct err *err);
void stats_sum_release(struct stats_sum *sum);

/* Add a launch. Returns 0 or ERR_NOMEM. */
int stats_sum_add(struct stats_sum *sum, uint32_t kernel, const struct l1_stats *s,
                  struct err *err);

/* The rows of a kernel, or of all launches. False: there are none of sites, of buffers. */
bool stats_sum_kernel(const struct stats_sum *sum, uint32_t kernel, struct stats_source *from);
bool stats_sum_all(const struct stats_sum *sum, struct stats_source *from);

#endif
