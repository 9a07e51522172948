/*
 * stats_row - a row of a table of statistics: counts of l1_stats, and what they are of.
 */
#ifndef STATS_ROW_H
#define STATS_ROW_H

#include "l1_stats.h"

struct err;
struct kernel_table;

/* One row, and what it is of: a site (the first of its source line), an argument, a buffer (both
 * -1: unknown), a set, the number of a row of groups or windows. */
struct stats_row {
	int64_t key;
	struct l1_stats_row row;
};

/* What the rows of a list are of, and which are merged. */
enum stats_row_key {
	STATS_ROW_AS_LISTED,
	STATS_ROW_BY_LINE,     /* of sites: summed over the sites of a source line */
	STATS_ROW_BY_ARGUMENT, /* of sites: over those whose pointer comes from an argument */
	STATS_ROW_BUFFERS,
};

/*
 * The rows of `list` with any counts, *count of them, in its order; the caller frees them. NULL
 * with ERR_NOMEM. `table` is the kernel's.
 */
struct stats_row *stats_row_make(const struct l1_stats_list *list, enum stats_row_key key,
                                 const struct kernel_table *table, size_t *count, struct err *err);

/* By misses, then by requests, both descending, then by number. */
void stats_row_sort(struct stats_row *rows, size_t count);

/* Reads, bypassing ones too, writes and atomics of a row. */
uint64_t stats_row_requests(const struct l1_stats_row *row);

#endif
