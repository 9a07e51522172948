/*
 * stats_rows - the rows of a table of statistics: who they are of, in the order of a report.
 */
#ifndef STATS_ROWS_H
#define STATS_ROWS_H

#include "stats_row.h"
#include "stats_run.h"

struct err;
struct recorded_launch;
struct recording;

/* Where rows come from; all borrowed. */
struct stats_source {
	const struct recording *recording;
	uint32_t kernel;
	const struct recorded_launch *launch; /* NULL: several */
	const struct l1_stats_list *lists;    /* L1_STATS_TABLES of them */
	const struct l1_stats_row *all;       /* their sum */
};

struct stats_rows {
	enum stats_section section;
	const struct stats_source *from; /* borrowed */
	const struct l1_stats_list *list;
	struct stats_row *rows;
	size_t count;
};

/*
 * Those for which anything was counted: by misses, then by requests, then by number; windows by
 * time. For all sections before `reuse`; groups and windows only of one launch. Returns 0 or
 * ERR_NOMEM. Release in every case.
 */
int stats_rows_init(struct stats_rows *rows, enum stats_section section,
                    const struct stats_source *from, struct err *err);
void stats_rows_release(struct stats_rows *rows);

/* The first and the last group, or cycle, of a row of these. */
uint64_t stats_row_first(const struct stats_rows *rows, const struct stats_row *row);
uint64_t stats_row_last(const struct stats_rows *rows, const struct stats_row *row);

#endif
