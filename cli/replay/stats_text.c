/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_report.h"

#include "miss_curve.h"
#include "recording.h"
#include "shape_text.h"
#include "site_text.h"
#include "source_text.h"
#include "stats_run.h"
#include "sum_columns.h"

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

/* A buffer, and the arguments through which the kernel sees it. */
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

/* Print which line, argument, buffer, set, group or window a row describes, without a newline. */
static void print_label(const struct stats_source *from, const struct sum_rows *rows,
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

static const struct sum_text columns[] = {
	{ SUM_MISSES, 15 }, { SUM_MISS_SHARE, 8 }, { SUM_REQUESTS, 15 }, { SUM_MISS_RATE, 8 },
	{ SUM_COLD, 7 },    { SUM_COHERENCE, 7 },  { SUM_CAPACITY, 7 },  { SUM_CONFLICT, 7 },
	{ SUM_SECTOR, 7 },  { SUM_USED, 8 },       { SUM_REUSE, 8 },
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Print the note after the title of a table. */
static void print_note(FILE *out, const struct sum_rows *rows, const struct stats_run *s,
                       const struct stats_source *from)
{
	const struct l1_stats_row *all = from->all;
	uint64_t unit = rows->unit;
	char text[SHAPE_TEXT_BYTES];

	if (rows->kind == SUM_SETS && rows->count && all->read_misses)
		fprintf(out, "; the first has %.2f times the average",
		        (double)rows->rows[0].l1.read_misses *
		                (double)from->lists[L1_STATS_SETS].count /
		                (double)all->read_misses);
	if (rows->kind == SUM_WINDOWS)
		fprintf(out, ", each of %s", amount_text(text, unit, "cycle"));
	if (rows->kind == SUM_WINDOWS && s->window_cycles && unit != s->window_cycles)
		fprintf(out, ", as windows of %s would be more than %d",
		        amount_text(text, s->window_cycles, "cycle"), L1_STATS_ROWS);
	if (rows->kind == SUM_GROUPS && unit > 1)
		fprintf(out, ": %s in a row, as there are more than %d",
		        amount_text(text, unit, "group"), L1_STATS_ROWS);
}

static int print_section(FILE *out, const struct stats_run *s, enum stats_section section,
                         const struct stats_source *from, struct err *err)
{
	static const char *const titles[] = {
#define STATS_SECTION(name, text) [STATS_##name] = (text),
#include "stats_sections.def"
#undef STATS_SECTION
	};
	const struct l1_stats_row *all = from->all;
	uint64_t most = section == STATS_windows ? UINT64_MAX : s->top;
	struct sum_rows rows;
	struct source_text source;
	char text[SHAPE_TEXT_BYTES];
	int ret = stats_source_rows(from, (enum sum_kind)section, &rows, err);

	if (ret)
		return ret;
	fprintf(out, "\n  By %s: %s", titles[section],
	        section == STATS_windows ? amount_text(text, rows.count, "window")
	                                 : amount_text(text, rows.count, "row"));
	print_note(out, &rows, s, from);
	fputc('\n', out);
	sum_text_head(out, columns, COLUMNS, all, titles[section]);
	source_text_load(&source, from->recording, from->recording->kernels[from->kernel].program);
	for (size_t i = 0; i < rows.count && i < most; i++) {
		sum_text_row(out, columns, COLUMNS, &rows.rows[i].l1, all);
		print_label(from, &rows, &rows.rows[i], &source, out);
		fputc('\n', out);
	}
	sum_text_row(out, columns, COLUMNS, all, all);
	fputs("all\n", out);
	source_text_release(&source);
	sum_rows_release(&rows);
	return 0;
}

/* "8", "8..15". */
static void print_range(FILE *out, uint64_t first, uint64_t next)
{
	char from[COUNT_TEXT_BYTES], to[COUNT_TEXT_BYTES], text[2 * COUNT_TEXT_BYTES + 2];

	if (next == first + 1)
		(void)snprintf(text, sizeof(text), "%s", count_text(from, first));
	else
		(void)snprintf(text, sizeof(text), "%s..%s", count_text(from, first),
		               count_text(to, next - 1));
	fprintf(out, "  %25s", text);
}

static void print_reuse(FILE *out, const struct stats_run *s)
{
	const struct l1_stats_reuse *reuse = l1_stats_reuse(s->l1);
	const struct l1_stats_row *all = l1_stats_total(s->l1);
	const uint64_t *why = reuse->reasons;
	char a[COUNT_TEXT_BYTES], b[COUNT_TEXT_BYTES], c[COUNT_TEXT_BYTES], d[COUNT_TEXT_BYTES];

	fprintf(out, "\n  By further uses of a line before it leaves\n  %25s %18s %8s %18s %8s\n",
	        "further uses", "lines", "share", "bytes moved", "used");
	for (uint32_t i = 0; i < L1_STATS_USES; i++) {
		const struct l1_stats_uses *u = &reuse->uses[i];

		if (!u->lines)
			continue;
		print_range(out, l1_stats_bin_first(i), l1_stats_bin_first(i + 1));
		fprintf(out, " %18s %8s %18s %8s\n", count_text(a, u->lines),
		        share_text(b, u->lines, all->lines), count_text(c, u->bytes_moved),
		        share_text(d, u->bytes_used, u->bytes_moved));
	}
	fprintf(out, "  %25s %18s %8s %18s %8s\n", "all", count_text(a, all->lines), "",
	        count_text(c, all->bytes_moved), share_text(d, all->bytes_used, all->bytes_moved));
	fprintf(out, "  they left: replaced %s, by a write %s, by an atomic %s,",
	        count_text(a, why[L1_LEAVE_REPLACED]), count_text(b, why[L1_LEAVE_WRITTEN]),
	        count_text(c, why[L1_LEAVE_ATOMIC]));
	fprintf(out, " invalidated %s, at the end %s\n", count_text(a, why[L1_LEAVE_INVALIDATED]),
	        count_text(b, why[L1_LEAVE_END]));
}

static void print_distance(FILE *out, uint64_t full, uint64_t set, uint64_t reads)
{
	char count[COUNT_TEXT_BYTES], share[COUNT_TEXT_BYTES];

	fprintf(out, " %18s %8s", count_text(count, full), share_text(share, full, reads));
	fprintf(out, " %18s %8s\n", count_text(count, set), share_text(share, set, reads));
}

/* The largest error of a row, in reads. */
static double worst_error(const struct reuse_counts *counts)
{
	double cold = reuse_counts_cold_error(counts), worst = reuse_counts_taken_error(counts);

	worst = cold > worst ? cold : worst;
	for (uint32_t i = 0; i < REUSE_BINS; i++) {
		double error = reuse_counts_bin_error(counts, i);

		worst = error > worst ? error : worst;
	}
	return worst;
}

static void print_distances(FILE *out, const struct stats_run *s)
{
	const struct reuse_counts *counts = miss_curve_counts(s->curve, 0);
	uint64_t reads = reuse_counts_reads(counts);
	char from[COUNT_TEXT_BYTES];
	struct reuse_bins full, set;

	reuse_counts_bins(counts, counts, &full);
	reuse_counts_bins(miss_curve_counts(s->curve, 1), counts, &set);
	fprintf(out,
	        "\n  By reuse distance of a read: other lines used since the last read of its "
	        "line\n"
	        "  %25s %18s %8s %18s %8s\n",
	        "distance", "on its SM", "share", "in its set", "share");
	fprintf(out, "  %25s", "cold");
	print_distance(out, full.cold, set.cold, reads);
	fprintf(out, "  %25s", "taken out since");
	print_distance(out, full.taken, set.taken, reads);
	for (uint32_t i = 0; i < REUSE_BINS; i++) {
		if (!full.bins[i] && !set.bins[i])
			continue;
		print_range(out, reuse_bin_first(i),
		            i + 1 < REUSE_BINS ? reuse_bin_first(i + 1) : UINT64_C(1) << 32);
		print_distance(out, full.bins[i], set.bins[i], reads);
	}
	if (set.beyond) {
		fprintf(out, "  %18s %s", count_text(from, miss_curve_counts(s->curve, 1)->limit),
		        "or more");
		print_distance(out, 0, set.beyond, reads);
	}
	fprintf(out, "  %25s", "all");
	print_distance(out, reads, reads, reads);
	if (counts->unknown)
		fprintf(out,
		        "  Distances on an SM from %s on, cold and taken are estimated from a "
		        "sample of lines:\n  rows at most %.2f points, distances at most %.1f%% "
		        "off "
		        "(95%% confidence)\n",
		        count_text(from, counts->limit), 100 * worst_error(counts) / (double)reads,
		        100 * reuse_counts_ways_error(counts, counts->limit + 1) /
		                (double)counts->limit);
}

int stats_text_launch(FILE *out, const struct stats_run *s, const struct stats_source *from,
                      struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < STATS_reuse && !ret; i++)
		if (s->is_wanted[i])
			ret = print_section(out, s, (enum stats_section)i, from, err);
	if (!ret && s->is_wanted[STATS_reuse])
		print_reuse(out, s);
	if (!ret && s->is_wanted[STATS_distances])
		print_distances(out, s);
	return ret;
}

int stats_text_sum(FILE *out, const struct stats_run *s, const struct stats_sum *sum,
                   struct err *err)
{
	char launches[SHAPE_TEXT_BYTES];
	struct stats_source from;
	int ret = 0;

	for (uint32_t k = 0; k < sum->kernel_count && !ret; k++) {
		if (!stats_sum_kernel(sum, k, &from))
			continue;
		fprintf(out, "\nTotal of %s, %s\n", from.recording->kernels[k].table.name,
		        amount_text(launches, sum->kernels[k].launches, "launch"));
		if (s->is_wanted[STATS_lines])
			ret = print_section(out, s, STATS_lines, &from, err);
		if (!ret && s->is_wanted[STATS_arguments])
			ret = print_section(out, s, STATS_arguments, &from, err);
	}
	if (!ret && stats_sum_all(sum, &from)) {
		fprintf(out, "\nTotal, %s\n",
		        amount_text(launches, sum->everything.launches, "launch"));
		ret = print_section(out, s, STATS_buffers, &from, err);
	}
	return ret;
}
