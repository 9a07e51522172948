/*
 * stats_rows - the rows of a table of statistics: who they are of, in the order of a report.
 */
#ifndef STATS_ROWS_H
#define STATS_ROWS_H

#include "l1_stats.h"
#include "stats_run.h"

#include <stdio.h>

struct err;
struct recording;
struct source_text;

/* One row, and who it is of: a site (the first of its source line), an argument, a buffer (both -1:
 * not known), a set, the number of a row of groups or windows. */
struct stats_row {
	int64_t key;
	struct l1_stats_row row;
};

struct stats_rows {
	enum stats_section section;
	const struct recording *recording; /* borrowed, as the launch's statistics */
	size_t launch;
	const struct l1_stats_list *list;
	struct stats_row *rows;
	size_t count;
};

/*
 * Those of a launch that anything was counted for: by misses, then by requests, then by number;
 * windows by time. For all sections before `reuse`. Returns 0 or ERR_NOMEM. Release in every case.
 */
int stats_rows_init(struct stats_rows *rows, enum stats_section section, const struct stats_run *s,
                    const struct recording *r, size_t launch, struct err *err);
void stats_rows_release(struct stats_rows *rows);

/* Reads, writes and atomics of a row. */
uint64_t stats_row_requests(const struct l1_stats_row *row);

/* Print who a row is of, without a newline. */
void stats_row_print(const struct stats_rows *rows, const struct stats_row *row,
                     const struct source_text *source, FILE *out);

/* The first and the last group, or cycle, of a row of these. */
uint64_t stats_row_first(const struct stats_rows *rows, const struct stats_row *row);
uint64_t stats_row_last(const struct stats_rows *rows, const struct stats_row *row);

#endif
