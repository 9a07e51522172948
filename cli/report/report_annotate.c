/* SPDX-License-Identifier: Apache-2.0 */
#include "colour.h"
#include "l1_stats.h"
#include "recording.h"
#include "report_output.h"
#include "shape_text.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* How many lines are shown around those that access memory; the rest is "...". */
enum { AROUND = 3 };

enum { COUNTS_WIDTH = 98, TAB_WIDTH = 4 };

/* A line is hot from this share of its kernel's misses or requests, and very hot from three times
 * as much. */
#define HOT_SHARE 0.1

/* Lines of source are cut after this many bytes. */
enum { LINE_SHOWN_BYTES = 400 };

/* The data for the lines of a kernel. */
struct annotation {
	FILE *out;
	const struct report_data *data;
	const struct report_kernel *kernel;
	const struct source_text *source; /* NULL: there is none */
	const struct report_line **rows;  /* by line of the source; NULL: no access there */
	bool *is_shown;                   /* by line: it is near one with accesses */
	const struct colour *colour;
};

/* The index of the line of a site in the source. */
static bool find_line(const struct annotation *a, size_t site, uint32_t *index)
{
	const struct place *place = &a->data->sites[site].facts->place;

	return a->source && source_text_find(a->source, place->file, place->line, index);
}

/* A line's share of its kernel's misses or requests, whichever is larger. */
static double heat_of(const struct annotation *a, const struct report_line *l)
{
	const struct l1_stats_row *all = &a->kernel->counts.l1;
	double misses = all->read_misses ? (double)l->l1.read_misses / (double)all->read_misses : 0;
	uint64_t requests = l1_stats_requests(all);
	double share = requests ? (double)l1_stats_requests(&l->l1) / (double)requests : 0;

	return misses > share ? misses : share;
}

/* The mark of a hot line. */
static const char *mark_of(double heat)
{
	if (heat >= 3 * HOT_SHARE)
		return ">>";
	return heat >= HOT_SHARE ? " >" : "  ";
}

/* "12,345"; "-" for 0. */
static const char *count_or_dash(char text[COUNT_TEXT_BYTES], uint64_t count)
{
	return count ? count_text(text, count) : "-";
}

static void print_head(const struct annotation *a)
{
	fprintf(a->out, "%2s %11s %11s %10s %10s %10s %8s %10s %13s %5s %5s  %s\n", "", "requests",
	        "misses", "cold", "capacity", "conflict", "others", "lanes/req.", "bytes moved",
	        "used", "line", "source");
}

static void print_counts(const struct annotation *a, const struct report_line *l)
{
	const struct l1_stats_row *r = &l->l1;
	uint64_t requests = l1_stats_requests(r);
	char text[7][COUNT_TEXT_BYTES], lanes[COUNT_TEXT_BYTES] = "-", used[COUNT_TEXT_BYTES];

	if (requests)
		snprintf(lanes, sizeof(lanes), "%.1f", (double)r->lanes / (double)requests);
	snprintf(used, sizeof(used), "-");
	if (r->bytes_moved)
		snprintf(used, sizeof(used), "%.0f%%",
		         100 * (double)r->bytes_used / (double)r->bytes_moved);
	fprintf(a->out, "%11s %11s %10s %10s %10s %8s %10s %13s %5s",
	        count_or_dash(text[0], requests), count_or_dash(text[1], r->read_misses),
	        count_or_dash(text[2], r->cold), count_or_dash(text[3], r->capacity),
	        count_or_dash(text[4], r->conflict),
	        count_or_dash(text[5], r->coherence + r->sector), lanes,
	        count_or_dash(text[6], r->bytes_moved), used);
}

static void print_source(const struct annotation *a, uint32_t index)
{
	struct line line = source_text_line(a->source, index);
	uint32_t number = source_text_number(a->source, index);
	char *copy, *seen;
	size_t tabs = 0;

	while (tabs < line.length && line.text[tabs] == '\t')
		tabs++;
	line = (struct line){ line.text + tabs, line.length - tabs };
	copy = source_text_copy_line(line, LINE_SHOWN_BYTES);
	seen = copy ? str_visible(copy, NULL) : NULL;
	if (number)
		fprintf(a->out, " %5u", number);
	else
		fprintf(a->out, " %5s", "?");
	fprintf(a->out, "  %*s%s\n", (int)(tabs < 32 ? tabs : 32) * TAB_WIDTH, "",
	        seen ? seen : "");
	free(seen);
	free(copy);
}

static void print_line(const struct annotation *a, uint32_t index)
{
	const struct report_line *l = a->rows[index];
	double heat = l ? heat_of(a, l) : 0;
	bool is_hot = heat >= HOT_SHARE;

	if (is_hot)
		fputs(colour_on(a->colour, COLOUR_HOT), a->out);
	fprintf(a->out, "%s ", l ? mark_of(heat) : "  ");
	if (l)
		print_counts(a, l);
	else
		fprintf(a->out, "%*s", COUNTS_WIDTH, "");
	if (is_hot)
		fputs(colour_off(a->colour), a->out);
	print_source(a, index);
}

/* Print the findings of a line after it. */
static void print_findings(const struct annotation *a, uint32_t index)
{
	const struct finding_list *list = &a->data->findings;

	for (size_t i = 0; a->rows[index] && i < list->count; i++) {
		const struct finding *f = &list->items[i];
		uint32_t found;
		char *seen;

		if (f->kernel != a->kernel->kernel || !f->line || !find_line(a, f->site, &found) ||
		    found != index)
			continue;
		seen = str_visible(f->sentence, NULL);
		fprintf(a->out, "%*s ^ %zu. %s: %s\n", COUNTS_WIDTH + 3, "", i + 1,
		        finding_name(f->rule), seen ? seen : "?");
		free(seen);
	}
}

/* Find the row of each line of the source, and the lines to show. */
static bool find_rows(struct annotation *a)
{
	uint32_t count = a->source->line_count, index;

	a->rows = calloc((size_t)count + 1, sizeof(*a->rows));
	a->is_shown = calloc((size_t)count + 1, sizeof(*a->is_shown));
	if (!a->rows || !a->is_shown)
		return false;
	for (size_t i = 0; i < a->kernel->line_count; i++) {
		const struct report_line *l = &a->data->lines[a->kernel->first_line + i];

		if (!find_line(a, l->site, &index))
			continue;
		a->rows[index] = l;
		for (uint32_t k = index > AROUND ? index - AROUND : 0;
		     k <= index + AROUND && k < count; k++)
			a->is_shown[k] = true;
	}
	return true;
}

static void print_kernel(struct annotation *a)
{
	char launches[SHAPE_TEXT_BYTES];
	bool was_shown = true;

	fprintf(a->out, "\n%s, %s", a->kernel->name,
	        amount_text(launches, a->kernel->launches_played, "launch"));
	if (!a->source || !find_rows(a)) {
		fputs(": the recording has no source\n", a->out);
		return;
	}
	fprintf(a->out, ", %s\n", a->source->file);
	print_head(a);
	for (uint32_t i = 0; i < a->source->line_count; i++) {
		if (a->is_shown[i]) {
			print_line(a, i);
			print_findings(a, i);
		} else if (was_shown) {
			fprintf(a->out, "%*s\n", COUNTS_WIDTH + 9, "...");
		}
		was_shown = a->is_shown[i];
	}
}

/* Print lines whose source the recording lacks: those of included files. */
static void print_elsewhere(const struct annotation *a)
{
	for (size_t i = 0; i < a->kernel->line_count; i++) {
		const struct report_line *l = &a->data->lines[a->kernel->first_line + i];
		uint32_t index;

		if (find_line(a, l->site, &index))
			continue;
		fprintf(a->out, "%s ", mark_of(heat_of(a, l)));
		print_counts(a, l);
		if (l->file)
			fprintf(a->out, "        %s:%u\n", l->file, l->line);
		else
			fprintf(a->out, "        site %u\n", a->data->sites[l->site].site);
	}
}

void report_annotate_print(FILE *out, const struct report_data *d, const struct colour *colour)
{
	fputs("\nSource. > marks lines with at least 10% of the kernel's misses or requests, >> "
	      "lines with at least 30%.\n",
	      out);
	for (size_t i = 0; i < d->kernel_count; i++) {
		const struct report_kernel *k = &d->kernels[i];
		struct annotation a = { .out = out,
			                .data = d,
			                .kernel = k,
			                .source = report_data_source(d, k->kernel),
			                .colour = colour };

		if (!k->launches_played)
			continue;
		print_kernel(&a);
		print_elsewhere(&a);
		free(a.rows);
		free(a.is_shown);
	}
}
