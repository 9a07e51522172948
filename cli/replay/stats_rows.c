/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_rows.h"

#include "err.h"
#include "recording.h"
#include "shape_text.h"
#include "source_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static void print_line(const struct stats_rows *rows, size_t site, const struct source_text *source,
                       FILE *out)
{
	const struct place *place = &table_of(rows)->sites[site].place;

	if (!place->file || !place->line) {
		fprintf(out, "site %zu", site);
		return;
	}
	fprintf(out, "%s:%u", place->file, place->line);
	source_text_print(source, place, "  | ", out);
}

static void print_argument(const struct stats_rows *rows, int64_t argument, FILE *out)
{
	const struct kernel_table *t = table_of(rows);
	const struct kernel_argument *a = argument >= 0 && (size_t)argument < t->argument_count
	                                          ? &t->arguments[argument]
	                                          : NULL;

	if (!a)
		fputs("not known", out);
	else if (a->name && *a->name)
		fprintf(out, "%s  %s", a->name, a->type ? a->type : "");
	else
		fprintf(out, "argument %" PRId64, argument);
}

/* A buffer's number and the arguments through which the kernel sees it. */
static void print_buffer(const struct stats_rows *rows, int64_t buffer, FILE *out)
{
	const struct recorded_launch *l = rows->from->launch;
	const struct kernel_table *t = table_of(rows);
	const char *between = "  ";
	char bytes[COUNT_TEXT_BYTES];

	if (buffer < 0) {
		fputs("in no known buffer", out);
		return;
	}
	fprintf(out, "buffer %" PRId64 ", %s bytes", buffer,
	        count_text(bytes, rows->from->recording->buffers[buffer].bytes));
	for (size_t i = 0; l && i < l->argument_count; i++) {
		const struct recorded_argument *a = &l->arguments[i];

		if (a->buffer != buffer || a->index >= t->argument_count)
			continue;
		fprintf(out, "%s%s", between, t->arguments[a->index].name);
		between = ", ";
	}
}

static void print_group(const struct stats_rows *rows, const struct stats_row *row, FILE *out)
{
	const struct launch_shape *shape = &rows->from->launch->shape;
	uint64_t first = stats_row_first(rows, row), last = stats_row_last(rows, row);
	uint64_t wide = launch_shape_groups(shape, 0), high = launch_shape_groups(shape, 1);

	if (first != last)
		fprintf(out, "groups %" PRIu64 "..%" PRIu64, first, last);
	else
		fprintf(out, "group %" PRIu64 " (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", first,
		        first % wide, first / wide % high, first / wide / high);
}

void stats_row_print(const struct stats_rows *rows, const struct stats_row *row,
                     const struct source_text *source, FILE *out)
{
	if (rows->section == STATS_lines)
		print_line(rows, (size_t)row->key, source, out);
	else if (rows->section == STATS_arguments)
		print_argument(rows, row->key, out);
	else if (rows->section == STATS_buffers)
		print_buffer(rows, row->key, out);
	else if (rows->section == STATS_groups)
		print_group(rows, row, out);
	else if (rows->section == STATS_windows)
		fprintf(out, "cycles %" PRIu64 "..%" PRIu64, stats_row_first(rows, row),
		        stats_row_last(rows, row));
	else
		fprintf(out, "set %" PRId64, row->key);
}
