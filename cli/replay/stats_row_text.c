/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_row_text.h"

#include "recording.h"
#include "shape_text.h"
#include "site_text.h"
#include "stats_run.h"

#include <inttypes.h>

static const struct kernel_table *table_of(const struct stats_source *from)
{
	return &from->recording->kernels[from->kernel].table;
}

static void print_line(const struct stats_source *from, size_t site,
                       const struct source_text *source, FILE *out)
{
	const struct place *place = &table_of(from)->sites[site].place;

	if (!place->file || !place->line) {
		fprintf(out, "site %zu", site);
		return;
	}
	fprintf(out, "%s:%u", place->file, place->line);
	site_text_print_line(source, place, "  | ", out);
}

static void print_argument(const struct stats_source *from, int64_t argument, FILE *out)
{
	const struct kernel_table *t = table_of(from);
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
static void print_buffer(const struct stats_source *from, int64_t buffer, FILE *out)
{
	const struct recorded_launch *l = from->launch;
	const struct kernel_table *t = table_of(from);
	const char *between = "  ";
	char bytes[COUNT_TEXT_BYTES];

	if (buffer < 0) {
		fputs("in no known buffer", out);
		return;
	}
	fprintf(out, "buffer %" PRId64 ", %s bytes", buffer,
	        count_text(bytes, from->recording->buffers[buffer].bytes));
	for (size_t i = 0; l && i < l->argument_count; i++) {
		const struct recorded_argument *a = &l->arguments[i];

		if (a->buffer != buffer || a->index >= t->argument_count)
			continue;
		fprintf(out, "%s%s", between, t->arguments[a->index].name);
		between = ", ";
	}
}

static void print_group(const struct stats_source *from, const struct sum_rows *rows,
                        const struct sum_row *row, FILE *out)
{
	const struct launch_shape *shape = &from->launch->shape;
	uint64_t first = sum_rows_first(rows, row), last = stats_source_last(from, rows, row);
	uint64_t wide = launch_shape_groups(shape, 0), high = launch_shape_groups(shape, 1);

	if (first != last)
		fprintf(out, "groups %" PRIu64 "..%" PRIu64, first, last);
	else
		fprintf(out, "group %" PRIu64 " (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", first,
		        first % wide, first / wide % high, first / wide / high);
}

void stats_row_text_print(const struct stats_source *from, const struct sum_rows *rows,
                          const struct sum_row *row, const struct source_text *source, FILE *out)
{
	if (rows->kind == SUM_LINES)
		print_line(from, (size_t)row->key, source, out);
	else if (rows->kind == SUM_ARGUMENTS)
		print_argument(from, row->key, out);
	else if (rows->kind == SUM_BUFFERS)
		print_buffer(from, row->key, out);
	else if (rows->kind == SUM_GROUPS)
		print_group(from, rows, row, out);
	else if (rows->kind == SUM_WINDOWS)
		fprintf(out, "cycles %" PRIu64 "..%" PRIu64, sum_rows_first(rows, row),
		        stats_source_last(from, rows, row));
	else
		fprintf(out, "set %" PRId64, row->key);
}
