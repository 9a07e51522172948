/*
 * sum_rows - counts of l1_stats by source line, argument, buffer, set, group or window: the rows of
 * every table of statistics, and their order.
 */
#ifndef SUM_ROWS_H
#define SUM_ROWS_H

#include "l1_stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_table;
struct site;

/* The sites of a source line, and those whose pointer comes from one argument, are one row. */
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
	uint64_t unit; /* groups, or cycles, that a row is of; else 1 */
	struct sum_row *rows;
	size_t count;
	const struct site **sites; /* of all rows */
};

/* The table of l1_stats that rows of the kind are made of. */
enum l1_stats_table sum_rows_table(enum sum_kind kind);

/*
 * Make the rows of a list, which is that table of a launch, or a sum of such, of the kernel with
 * this table of sites: those for which anything was counted, by misses, then by requests, both
 * descending, then by key; windows by time. Where `is_part` is not NULL, rows are of the sites that
 * it is true for, also of those for which nothing was counted. Returns 0 or ERR_NOMEM. Release in
 * every case.
 */
int sum_rows_make(struct sum_rows *s, enum sum_kind kind, const struct l1_stats_list *list,
                  const struct kernel_table *table, const bool *is_part, struct err *err);
void sum_rows_release(struct sum_rows *s);

/* The first group, or cycle, of a row; the last is `unit` - 1 more, or that of the launch. */
uint64_t sum_rows_first(const struct sum_rows *s, const struct sum_row *row);

#endif
