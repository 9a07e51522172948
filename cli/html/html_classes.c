/* SPDX-License-Identifier: Apache-2.0 */
#include "html_sections.h"
#include "html_table.h"
#include "html_text.h"
#include "l1_stats.h"

#include <assert.h>
#include <inttypes.h>

enum { CLASS_COUNT = 5, BAR_UNITS = 1000, COLUMNS_MAX = 32 };

static const char *const class_names[CLASS_COUNT] = { "cold", "capacity", "conflict", "coherence",
	                                              "sector" };
static const enum html_term class_terms[CLASS_COUNT] = { HTML_TERM_cold, HTML_TERM_capacity,
	                                                 HTML_TERM_conflict, HTML_TERM_coherence,
	                                                 HTML_TERM_sector };

static uint64_t class_of(const struct l1_stats_row *row, size_t i)
{
	const uint64_t counts[CLASS_COUNT] = { row->cold, row->capacity, row->conflict,
		                               row->coherence, row->sector };

	return counts[i];
}

uint64_t html_requests(const struct l1_stats_row *row)
{
	return row->reads + row->bypasses + row->writes + row->atomics;
}

void html_class_cells(FILE *out, const struct l1_stats_row *row, const struct l1_stats_row *all)
{
	for (size_t i = 0; i < CLASS_COUNT; i++)
		if (class_of(all, i))
			html_cell_share(out, class_of(row, i), row->read_misses);
}

void html_miss_cells(FILE *out, const struct l1_stats_row *row, const struct l1_stats_row *all)
{
	html_cell_count(out, html_requests(row));
	html_cell_ratio(out, row->lanes, html_requests(row));
	html_cell_count(out, row->read_misses);
	html_cell_share(out, row->read_misses, all->read_misses);
	html_cell_share(out, row->read_misses, row->reads);
}

void html_l1_cells(FILE *out, const struct l1_stats_row *row, const struct l1_stats_row *all)
{
	html_miss_cells(out, row, all);
	html_class_cells(out, row, all);
	html_cell_count(out, row->bytes_moved);
	html_cell_share(out, row->bytes_used, row->bytes_moved);
	fputc('\n', out);
}

/* Whether a column is that of a class that no miss has. */
static bool is_empty(const struct html_column *c, const struct l1_stats_row *all)
{
	for (size_t i = 0; i < CLASS_COUNT; i++)
		if (c->term == class_terms[i])
			return !class_of(all, i);
	return false;
}

void html_class_table_begin(FILE *out, const struct html_table *t, const struct l1_stats_row *all)
{
	struct html_column columns[COLUMNS_MAX];
	struct html_table shown = *t;

	assert(t->column_count <= COLUMNS_MAX);
	shown.columns = columns;
	shown.column_count = 0;
	for (size_t i = 0; i < t->column_count; i++)
		if (!is_empty(&t->columns[i], all))
			columns[shown.column_count++] = t->columns[i];
	html_table_begin(out, &shown);
}

void html_class_main(FILE *out, const struct l1_stats_row *row)
{
	size_t most = 0;

	for (size_t i = 1; i < CLASS_COUNT; i++)
		if (class_of(row, i) > class_of(row, most))
			most = i;
	if (class_of(row, most))
		fprintf(out, "%s %.0f%%", class_names[most],
		        100.0 * (double)class_of(row, most) / (double)row->read_misses);
}

void html_class_bar(FILE *out, const struct l1_stats_row *row)
{
	uint64_t before = 0;

	if (!row->read_misses)
		return;
	fprintf(out,
	        "<svg class=stack viewBox=\"0 0 %d 1\" preserveAspectRatio=none aria-hidden=true>",
	        BAR_UNITS);
	for (size_t i = 0; i < CLASS_COUNT; i++) {
		double scale = (double)BAR_UNITS / (double)row->read_misses;
		uint64_t count = class_of(row, i);

		if (count)
			fprintf(out, "<rect class=%s x=%.1f width=%.1f height=1 />", class_names[i],
			        (double)before * scale, (double)count * scale);
		before += count;
	}
	fputs("</svg>", out);
}

void html_class_key(FILE *out, const struct l1_stats_row *all)
{
	fputs("<ul class=key aria-label=\"Colours of the bars, from left to right\">", out);
	for (size_t i = 0; i < CLASS_COUNT; i++)
		if (class_of(all, i))
			fprintf(out, "<li><span class=%s></span>%s", class_names[i],
			        class_names[i]);
	fputs("</ul>\n", out);
}

void html_left_out(FILE *out, size_t count, const char *what)
{
	if (!count)
		return;
	fputs("<p class=note><b>Not shown:</b> ", out);
	html_count(out, count);
	fprintf(out,
	        " more %s, so that this page stays small; <code>warpline report --json</code> "
	        "has all.</p>\n",
	        what);
}
