/* SPDX-License-Identifier: Apache-2.0 */
/* Rows are runs of a kernel's launches, of `length` each; of one where all launches have room. */
#include "html_sections.h"

#include "err.h"
#include "html_table.h"
#include "html_text.h"
#include "recording.h"
#include "report_data.h"

#include <inttypes.h>
#include <stdlib.h>

struct launch_run {
	uint32_t kernel;
	uint64_t first, last, count; /* numbers of launches, and how many of the kernel are between
	                              */
	struct report_numbers sum;
};

struct launch_runs {
	struct launch_run *runs;
	size_t count;
	uint64_t length;
};

static const struct html_column columns[] = {
	{ "Launch", HTML_TERM_launch, false },
	{ "Kernel", HTML_TERM_NONE, true },
	{ "Requests", HTML_TERM_request, false },
	{ "Lanes per request", HTML_TERM_lanes, false },
	{ "Misses", HTML_TERM_miss, false },
	{ "Miss rate", HTML_TERM_rate, false },
	{ "Bytes from L2", HTML_TERM_moved, false },
	{ "Cycles", HTML_TERM_cycles, false },
};

/* As the script has them: how a column is made of the lists of numbers. */
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

/* Runs of the played launches; `open` has room for each kernel, for the run that goes on, from 1.
 */
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

/* The shortest runs of 1, 2, 4, ... launches of which there are few enough. */
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

static void write_run(FILE *out, const struct report_data *d, const struct launch_run *run)
{
	const struct l1_stats_row *l1 = &run->sum.l1;

	fprintf(out, "<tr><th scope=row>%" PRIu64, run->first);
	if (run->count > 1)
		fprintf(out, "\xe2\x80\x93%" PRIu64 " (%" PRIu64 ")", run->last, run->count);
	html_cell_text(out, d->recording->kernels[run->kernel].table.name);
	html_cell_count(out, html_requests(l1));
	html_cell_ratio(out, l1->lanes, html_requests(l1));
	html_cell_count(out, l1->read_misses);
	html_cell_share(out, l1->read_misses, l1->reads);
	html_cell_count(out, l1->bytes_from_l2);
	html_cell_count(out, run->sum.cycles);
	fputc('\n', out);
}

static void write_notes(FILE *out, const struct report_data *d, const struct launch_runs *runs)
{
	uint64_t left = d->launch_count;

	for (size_t i = 0; i < d->launch_count; i++)
		left -= d->launches[i].is_played;
	if (left) {
		fputs("<p class=note><b>Not replayed:</b> ", out);
		html_count(out, left);
		fputs(" launches, which are in none of the figures; why is in "
		      "<a href=#complete>Completeness</a>.</p>\n",
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
	const struct html_table table = { .id = "launch-table",
		                          .caption = "Launches in the order of the program",
		                          .filter = "Filter by kernel or number",
		                          .columns = columns,
		                          .column_count = sizeof(columns) / sizeof(columns[0]) };

	if (!ret) {
		write_notes(out, d, &runs);
		html_table_begin(out, &table);
		for (size_t i = 0; i < shown; i++)
			write_run(out, d, &runs.runs[i]);
		html_table_end(out);
		html_left_out(out, runs.count - shown, "rows of launches");
	}
	free(runs.runs);
	return ret;
}

static uint64_t number_of(const struct report_launch *l)
{
	return l->number;
}

static uint64_t kernel_of(const struct report_launch *l)
{
	return l->kernel;
}

static uint64_t requests_of(const struct report_launch *l)
{
	return html_requests(&l->counts.l1);
}

static uint64_t reads_of(const struct report_launch *l)
{
	return l->counts.l1.reads;
}

static uint64_t misses_of(const struct report_launch *l)
{
	return l->counts.l1.read_misses;
}

static uint64_t lanes_of(const struct report_launch *l)
{
	return l->counts.l1.lanes;
}

static uint64_t moved_of(const struct report_launch *l)
{
	return l->counts.l1.bytes_from_l2;
}

static uint64_t cycles_of(const struct report_launch *l)
{
	return l->counts.cycles;
}

static void write_list(const struct report_data *d, FILE *out, const char *name,
                       uint64_t (*value)(const struct report_launch *))
{
	const char *between = "";

	fprintf(out, "\"%s\":[", name);
	for (size_t i = 0; i < d->launch_count; i++)
		if (d->launches[i].is_played) {
			fprintf(out, "%s%" PRIu64, between, value(&d->launches[i]));
			between = ",";
		}
	fputc(']', out);
}

static void write_lists(const struct report_data *d, FILE *out)
{
	static const struct {
		const char *name;
		uint64_t (*value)(const struct report_launch *);
	} lists[] = { { "number", number_of }, { "kernel", kernel_of }, { "requests", requests_of },
		      { "reads", reads_of },   { "misses", misses_of }, { "lanes", lanes_of },
		      { "moved", moved_of },   { "cycles", cycles_of } };

	fputs("{\"launches\":{\"kernels\":[", out);
	for (size_t i = 0; i < d->recording->kernel_count; i++) {
		fputs(i ? "," : "", out);
		html_json_string(out, d->recording->kernels[i].table.name);
	}
	fprintf(out, "],\"columns\":%s,\"values\":{", script_columns);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		fputs(i ? ",\n" : "", out);
		write_list(d, out, lists[i].name, lists[i].value);
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
