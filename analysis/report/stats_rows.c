/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_rows.h"

#include "err.h"
#include "recording.h"

#include <stdlib.h>

static const struct kernel_table *table_of(const struct stats_rows *rows)
{
	return &rows->from->recording->kernels[rows->from->kernel].table;
}

int stats_rows_init(struct stats_rows *rows, enum stats_section section,
                    const struct stats_source *from, struct err *err)
{
	static const enum l1_stats_table tables[] = {
		[STATS_lines] = L1_STATS_SITES,     [STATS_buffers] = L1_STATS_BUFFERS,
		[STATS_arguments] = L1_STATS_SITES, [STATS_sets] = L1_STATS_SETS,
		[STATS_groups] = L1_STATS_GROUPS,   [STATS_windows] = L1_STATS_WINDOWS,
	};

	static const enum stats_row_key keys[] = {
		[STATS_lines] = STATS_ROW_BY_LINE,
		[STATS_buffers] = STATS_ROW_BUFFERS,
		[STATS_arguments] = STATS_ROW_BY_ARGUMENT,
		[STATS_windows] = STATS_ROW_AS_LISTED,
	};

	*rows = (struct stats_rows){ .section = section,
		                     .from = from,
		                     .list = &from->lists[tables[section]] };
	rows->rows = stats_row_make(rows->list, keys[section], table_of(rows), &rows->count, err);
	if (!rows->rows)
		return ERR_NOMEM;
	if (section != STATS_windows)
		stats_row_sort(rows->rows, rows->count);
	return 0;
}

void stats_rows_release(struct stats_rows *rows)
{
	free(rows->rows);
	*rows = (struct stats_rows){ 0 };
}

uint64_t stats_row_first(const struct stats_rows *rows, const struct stats_row *row)
{
	return (uint64_t)row->key * rows->list->unit;
}

uint64_t stats_row_last(const struct stats_rows *rows, const struct stats_row *row)
{
	uint64_t last = stats_row_first(rows, row) + rows->list->unit - 1;
	uint64_t groups;

	if (rows->section != STATS_groups)
		return last;
	groups = launch_shape_group_count(&rows->from->launch->shape);
	return last < groups ? last : groups - 1;
}
