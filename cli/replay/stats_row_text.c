/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_row_text.h"

#include "recording.h"
#include "shape_text.h"
#include "site_text.h"
#include "stats_rows.h"

#include <inttypes.h>

static const struct kernel_table *table_of(const struct stats_rows *rows)
{
	return &rows->from->recording->kernels[rows->from->kernel].table;
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
	site_text_print_line(source, place, "  | ", out);
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

void stats_row_text_print(const struct stats_rows *rows, const struct stats_row *row,
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
