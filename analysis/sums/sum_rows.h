/*
 * sum_rows - counts of l1_stats by source line, argument, buffer, set, group or window: the rows of
 * every table of statistics, and their order; and site_sums, all counts of a site.
 */
#ifndef SUM_ROWS_H
#define SUM_ROWS_H

#include "access_pattern.h"
#include "l1_stats.h"
#include "launch_reuse.h"
#include "line_sharing.h"
#include "reuse_counts.h"
#include "side_counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_table;
struct site;

/*
 * All counts of a site, or of several, over the launches of a replay. To add a kind of
 * statistics, add a member here and its sum to site_sums_add().
 */
struct site_sums {
	struct l1_stats_row l1;
	struct access_pattern pattern;
	struct line_share sharing;
	uint64_t atomic_waits;      /* turns that atomics wait for others on their word */
	struct launch_saving again; /* savings through data of earlier launches */
	struct side_counts side;
	struct reuse_bins distances; /* fully associative */
};

/* Add every member of *more to *sum. */
void site_sums_add(struct site_sums *sum, const struct site_sums *more);

/* The kinds of rows: a source line has one row for all its sites, and so has an argument. */
enum sum_kind {
	SUM_LINES,
	SUM_BUFFERS,
	SUM_ARGUMENTS,
	SUM_SETS,
	SUM_GROUPS,
	SUM_WINDOWS,
	SUM_KINDS,
};

struct sum_row {
	int64_t key; /* the first site of the line, an argument or a buffer (both -1: not known), a
	                set, the number of a row of groups or windows */
	struct l1_stats_row l1;
	const struct site *const *sites; /* of lines and arguments: in the order of the table */
	size_t site_count;
};

struct sum_rows {
	enum sum_kind kind;
	uint64_t unit; /* number of groups or cycles of a row; else 1 */
	struct sum_row *rows;
	size_t count;
	const struct site **sites; /* of all rows */
};

/* Returns the table of l1_stats for rows of the kind. */
enum l1_stats_table sum_rows_table(enum sum_kind kind);

/*
 * Make the rows of a list: that table of a launch, or a sum of such tables, of the kernel with the
 * sites of `table`. Rows without counts are left out. They are sorted by misses, then requests,
 * both descending, then by key; windows by time. If `is_part` is not NULL, rows are of the sites
 * for which it is true, counted or not. Returns 0 or ERR_NOMEM. Release in every case.
 */
int sum_rows_make(struct sum_rows *s, enum sum_kind kind, const struct l1_stats_list *list,
                  const struct kernel_table *table, const bool *is_part, struct err *err);
void sum_rows_release(struct sum_rows *s);

/* Returns the first group or cycle of a row; the last is `unit` - 1 later, or the last of the
 * launch. */
uint64_t sum_rows_first(const struct sum_rows *s, const struct sum_row *row);

#endif
