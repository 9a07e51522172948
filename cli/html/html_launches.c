/* SPDX-License-Identifier: Apache-2.0 */
/* A row is a run of `length` launches of a kernel; of a single launch if all fit. */
#include "html_page.h"

#include "err.h"
#include "html_table.h"
#include "html_text.h"
#include "recording.h"
#include "report_data.h"
#include "sum_columns.h"

#include <inttypes.h>
#include <stdlib.h>

struct launch_run {
	uint32_t kernel;
	uint64_t first, last; /* numbers of launches */
	uint64_t count;       /* launches of the kernel from first to last */
	struct report_numbers sum;
};

struct launch_runs {
	struct launch_run *runs;
	size_t count;
	uint64_t length;
};

static const struct headed_column first_columns[] = { HTML_COLUMN("Launch", "launch", FIGURE),
	                                              HTML_COLUMN("Kernel", NULL, TEXT) };
static const enum sum_column sums[] = { SUM_REQUESTS, SUM_LANES, SUM_MISSES, SUM_MISS_RATE,
	                                SUM_BYTES_FROM_L2 };
static const struct headed_column cycles_column = HTML_COLUMN("Cycles", "cycles", NUMBER);

enum { SUMS = sizeof(sums) / sizeof(sums[0]), LABEL_BYTES = 80 };

/* The columns for the script: how each is made from the lists of numbers. */
static const char script_columns[] =
	"[[\"name\",\"number\"],[\"kernel\",\"kernel\"],[\"count\",\"requests\"],"
	"[\"ratio\",\"lanes\",\"requests\"],[\"count\",\"misses\"],[\"share\",\"misses\",\"reads\"]"
	","
	"[\"count\",\"moved\"],[\"count\",\"cycles\"]]";

static void add_numbers(struct report_numbers *sum, const struct report_numbers *more)
{
	l1_stats_add(&sum->l1, &more->l1);
	sum->cycles += more->cycles;
	sum->lanes += more->lanes;
}

static void extend(struct launch_run *run, const struct report_launch *l)
{
	run->last = l->number;
	run->count++;
	add_numbers(&run->sum, &l->counts);
}

/* Make runs of the launches that were replayed; `open` holds, for each kernel, the number of its
 * open run, from 1. */
static void make_runs(struct launch_runs *r, const struct report_data *d, size_t *open)
{
	r->count = 0;
	for (size_t i = 0; i < d->recording->kernel_count; i++)
		open[i] = 0;
	for (size_t i = 0; i < d->launch_count; i++) {
		const struct report_launch *l = &d->launches[i];
		size_t *at = &open[l->kernel];

		if (!l->is_played)
			continue;
		if (!*at || r->runs[*at - 1].count == r->length) {
			r->runs[r->count] =
				(struct launch_run){ .kernel = l->kernel, .first = l->number };
			*at = ++r->count;
		}
		extend(&r->runs[*at - 1], l);
	}
}

/* Find the shortest runs, of 1, 2, 4, ... launches, that fit. */
static int find_runs(struct launch_runs *r, const struct report_data *d, struct err *err)
{
	size_t *open = calloc(d->recording->kernel_count + 1, sizeof(*open));

	*r = (struct launch_runs){ .length = 1 };
	r->runs = calloc(d->launch_count + 1, sizeof(*r->runs));
	if (!open || !r->runs) {
		free(open);
		return err_set(err, ERR_NOMEM, "out of memory for the launches of the page");
	}
	make_runs(r, d, open);
	while (r->count > HTML_ROWS_MAX && r->length < d->launch_count) {
		r->length *= 2;
		make_runs(r, d, open);
	}
	free(open);
	return 0;
}

static void write_run(const struct html_table *t, const struct report_data *d,
                      const struct launch_run *run)
{
	char numbers[LABEL_BYTES];
	struct cell cells[CELL_TABLE_COLUMNS] = {
		cell_text(numbers), cell_text(d->recording->kernels[run->kernel].table.name)
	};
	size_t n = sum_page_cells(cells, 2, sums, SUMS, &run->sum.l1, &d->total.l1);

	cells[n] = cell_number(run->sum.cycles);
	if (run->count > 1)
		snprintf(numbers, sizeof(numbers),
		         "%" PRIu64 "\xe2\x80\x93%" PRIu64 " (%" PRIu64 ")", run->first, run->last,
		         run->count);
	else
		snprintf(numbers, sizeof(numbers), "%" PRIu64, run->first);
	html_table_row(t, cells);
}

static void write_notes(FILE *out, const struct report_data *d, const struct launch_runs *runs)
{
	uint64_t left = d->launch_count;

	for (size_t i = 0; i < d->launch_count; i++)
		left -= d->launches[i].is_played;
	if (left) {
		fputs("<p class=note><b>Not replayed:</b> ", out);
		html_count(out, left);
		fputs(" launches, which are in none of the figures; <a "
		      "href=#complete>Completeness</a> says why.</p>\n",
		      out);
	}
	if (runs->length == 1)
		return;
	fputs("<p class=note data-script=without><b>Added up:</b> a row is up to ", out);
	html_count(out, runs->length);
	fputs(" successive launches of a kernel: \"4\xe2\x80\x93"
	      "18 (8)\" are 8 launches, the "
	      "first number 4, the last 18. Where scripts run, each launch has its own row.</p>\n",
	      out);
}

int html_section_launches(const struct html_page *page, FILE *out, struct err *err)
{
	const struct report_data *d = page->data;
	struct launch_runs runs;
	int ret = find_runs(&runs, d, err);
	size_t shown = runs.count < HTML_ROWS_MAX ? runs.count : HTML_ROWS_MAX;
	struct html_table t = { .out = out,
		                .id = "launch-table",
		                .caption = "Launches in the order of the program",
		                .filter = "Filter by kernel or number" };

	if (!ret) {
		write_notes(out, d, &runs);
		html_table_show(&t, first_columns, 2);
		sum_page_show(&t, sums, SUMS, &d->total.l1);
		html_table_show(&t, &cycles_column, 1);
		html_table_begin(&t);
		for (size_t i = 0; i < shown; i++)
			write_run(&t, d, &runs.runs[i]);
		html_table_end(&t);
		html_left_out(out, runs.count - shown, "rows of launches");
	}
	free(runs.runs);
	return ret;
}

/* The lists of numbers for the script, in this order. */
enum { NUMBER, KERNEL, REQUESTS, READS, MISSES, LANES, MOVED, CYCLES, LISTS };

static uint64_t number_of(const struct report_launch *l, size_t list)
{
	const struct l1_stats_row *l1 = &l->counts.l1;
	const uint64_t numbers[LISTS] = {
		[NUMBER] = l->number,
		[KERNEL] = l->kernel,
		[REQUESTS] = l1_stats_requests(l1),
		[READS] = l1->reads,
		[MISSES] = l1->read_misses,
		[LANES] = l1->lanes,
		[MOVED] = l1->bytes_from_l2,
		[CYCLES] = l->counts.cycles,
	};

	return numbers[list];
}

static void write_list(const struct report_data *d, FILE *out, const char *name, size_t list)
{
	const char *between = "";

	fprintf(out, "\"%s\":[", name);
	for (size_t i = 0; i < d->launch_count; i++)
		if (d->launches[i].is_played) {
			fprintf(out, "%s%" PRIu64, between, number_of(&d->launches[i], list));
			between = ",";
		}
	fputc(']', out);
}

static void write_lists(const struct report_data *d, FILE *out)
{
	static const char *const names[LISTS] = { "number", "kernel", "requests", "reads",
		                                  "misses", "lanes",  "moved",    "cycles" };

	fputs("{\"launches\":{\"kernels\":[", out);
	for (size_t i = 0; i < d->recording->kernel_count; i++) {
		fputs(i ? "," : "", out);
		html_json_string(out, d->recording->kernels[i].table.name);
	}
	fprintf(out, "],\"columns\":%s,\"values\":{", script_columns);
	for (size_t i = 0; i < LISTS; i++) {
		fputs(i ? ",\n" : "", out);
		write_list(d, out, names[i], i);
	}
	fputs("}}}", out);
}

int html_launches_json(const struct html_page *page, FILE *out, struct err *err)
{
	struct launch_runs runs;
	int ret = find_runs(&runs, page->data, err);

	free(runs.runs);
	if (!ret && runs.length > 1)
		write_lists(page->data, out);
	else
		fputs("{\"launches\":null}", out);
	return ret;
}
