/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_set.h"
#include "gpu.h"
#include "html_assets.h"
#include "html_sections.h"
#include "html_table.h"
#include "html_text.h"
#include "report_data.h"

#include <inttypes.h>

/* A place for a chart of a table, drawn by the script, with what it shows for those who do not see
 * it. Its table follows, in what chart_end() ends. */
static void chart_begin(FILE *out, const char *kind, const char *label, const char *caption)
{
	fprintf(out,
	        "<figure data-chart=%s data-table=%s-table data-label=\"%s\">"
	        "<div class=chart hidden></div>\n<figcaption>%s</figcaption></figure>\n",
	        kind, kind, label, caption);
	fputs(html_chart_js.bytes
	              ? "<p class=note data-script=without>The chart needs a script; these are its "
	                "numbers.</p>\n"
	              : "<p class=note>This page has no chart of these numbers: Chart.js was not "
	                "there when this program was built.</p>\n",
	      out);
	fprintf(out, "<details class=numbers%s><summary>The numbers</summary>\n",
	        html_chart_js.bytes ? " data-script=closes open" : " open");
}

static void chart_end(FILE *out)
{
	html_table_end(out);
	fputs("</details>\n", out);
}

static void write_set_share(FILE *out, const struct report_curve_point *p, uint64_t reads)
{
	if (p->set_misses == UINT64_MAX)
		fputs("<td>\xe2\x80\x93", out);
	else
		html_cell_share(out, p->set_misses, reads);
}

static void write_points(FILE *out, const struct html_page *page)
{
	const struct report_curve *c = &page->data->curve;
	uint64_t own_lines = (uint64_t)page->gpu->l1_sets * page->gpu->l1_ways;

	for (size_t i = 0; i < c->count; i++) {
		const struct report_curve_point *p = &c->points[i];

		fprintf(out, "<tr%s><th scope=row>", p->lines == own_lines ? " data-own=1" : "");
		html_count(out, p->lines);
		html_cell_count(out, p->lines * page->gpu->l1_line_bytes);
		html_cell_share(out, p->misses, c->reads);
		write_set_share(out, p, c->reads);
		fputs(p->lines == own_lines ? "<td class=t>this L1" : "<td class=t>", out);
		if (p->lines_error > 0)
			fprintf(out, "estimated: \xc2\xb1%.2f points, of \xc2\xb1%.0f lines",
			        100 * p->error / (double)c->reads, p->lines_error);
		fputc('\n', out);
	}
}

/* A heading where the caches of the curve are not this L1, with both shares of misses. */
static void write_other_cache(FILE *out, const struct html_page *page)
{
	const struct report_curve *c = &page->data->curve;
	const struct l1_stats_row *l1 = &page->data->total.l1;
	uint64_t own_lines = (uint64_t)page->gpu->l1_sets * page->gpu->l1_ways;
	uint64_t misses = UINT64_MAX;
	char other[CURVE_OTHER_BYTES] = "";

	for (size_t i = 0; i < c->count; i++)
		if (c->points[i].lines == own_lines)
			misses = c->points[i].set_misses != UINT64_MAX ? c->points[i].set_misses
			                                               : c->points[i].misses;
	if (misses != UINT64_MAX && l1->reads && c->reads)
		curve_set_other_cache(other, page->gpu, (double)l1->read_misses / (double)l1->reads,
		                      (double)misses / (double)c->reads);
	if (*other)
		fprintf(out, "<h3>Of %s</h3>\n", other);
}

int html_section_curve(const struct html_page *page, FILE *out, struct err *err)
{
	static const struct html_column columns[] = {
		{ "Lines", HTML_TERM_curve, false },
		{ "Bytes", HTML_TERM_NONE, false },
		{ "Fully associative", HTML_TERM_capacity, false },
		{ "Sets of this GPU", HTML_TERM_conflict, false },
		{ "Mark", HTML_TERM_NONE, true },
	};
	const struct report_curve *c = &page->data->curve;
	const struct html_table table = {
		.id = "curve-table",
		.caption = "Reads that miss in an LRU cache of that many lines on each SM",
		.attributes = "data-x=\"Lines of L1 on an SM\" data-y=\"Reads that miss\" "
			      "data-unit=lines",
		.is_fixed = true,
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0])
	};

	if (!c->count) {
		fputs("<p class=note>There are no reads to draw a curve of.</p>\n", out);
		return 0;
	}
	write_other_cache(out, page);
	chart_begin(out, "curve", "Miss-ratio curve: share of reads that miss against lines of L1",
	            "What to look for: a steep fall just right of the line at this L1 says that a "
	            "little less data in use at once would fit. "
	            "Where the "
	            "dashed line of its sets lies above, sets are the trouble, not size.");
	html_table_begin(out, &table);
	write_points(out, page);
	chart_end(out);
	fputs(c->exact_lines ? "<p>With about " : "<p>With ", out);
	html_count(out, c->enough_lines);
	fputs(c->enough_lines == 1 ? " line" : " lines", out);
	fputs(" or more on each SM, fully associative, only cold misses and those after "
	      "writes are left.",
	      out);
	if (c->exact_lines) {
		fputs(" What is estimated, from a sample of the lines, is true within the errors "
		      "given in 95 of 100 cases; up to ",
		      out);
		html_count(out, c->exact_lines);
		fputs(" lines all reads are counted.", out);
	}
	fputs("</p>\n", out);
	return 0;
}

static void write_bin(FILE *out, uint32_t bin, const struct l1_stats_uses *uses, uint64_t lines)
{
	uint64_t first = l1_stats_bin_first(bin);

	fputs("<tr><th scope=row>", out);
	html_count(out, first);
	if (bin >= L1_STATS_USES_EXACT) {
		fputs("\xe2\x80\x93", out);
		html_count(out, first * 2 - 1);
	}
	html_cell_count(out, uses->lines);
	html_cell_share(out, uses->lines, lines);
	html_cell_count(out, uses->bytes_moved);
	html_cell_share(out, uses->bytes_used, uses->bytes_moved);
	fputc('\n', out);
}

static uint32_t last_bin(const struct l1_stats_reuse *r, uint64_t *lines)
{
	uint32_t last = 0;

	*lines = 0;
	for (uint32_t i = 0; i < L1_STATS_USES; i++) {
		*lines += r->uses[i].lines;
		if (r->uses[i].lines)
			last = i;
	}
	return last;
}

int html_section_reuse(const struct html_page *page, FILE *out, struct err *err)
{
	static const struct html_column columns[] = {
		{ "Further uses", HTML_TERM_further, false },
		{ "Stays of lines", HTML_TERM_NONE, false },
		{ "Share", HTML_TERM_NONE, false },
		{ "Bytes moved", HTML_TERM_moved, false },
		{ "Used", HTML_TERM_used, false },
	};
	const struct l1_stats_reuse *r = &page->data->reuse;
	const struct html_table table = {
		.id = "reuse-table",
		.caption = "Stays of lines in L1 by their further uses",
		.attributes = "data-x=\"Further uses of a line before it leaves L1\" "
			      "data-y=\"Stays of lines\"",
		.is_fixed = true,
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0])
	};
	uint64_t lines;
	uint32_t last = last_bin(r, &lines);

	if (!lines) {
		fputs("<p class=note>No line came into L1.</p>\n", out);
		return 0;
	}
	chart_begin(out, "reuse", "Histogram of the further uses of lines before they leave L1",
	            "What to look for: a tall bar at 0 is data that streams through L1, for which "
	            "the cache does nothing but move whole lines.");
	html_table_begin(out, &table);
	for (uint32_t i = 0; i <= last; i++)
		write_bin(out, i, &r->uses[i], lines);
	chart_end(out);
	return 0;
}
