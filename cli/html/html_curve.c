/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_set.h"
#include "gpu.h"
#include "html_assets.h"
#include "html_page.h"
#include "html_table.h"
#include "html_text.h"
#include "report_data.h"
#include "shape_text.h"

#include <inttypes.h>

enum { MARK_BYTES = 128 };

/* Begin a chart, which the script draws from the table that follows until chart_end(), with a label
 * for readers who do not see it. */
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
	                "installed when this program was built.</p>\n",
	      out);
	fprintf(out, "<details class=numbers%s><summary>The numbers</summary>\n",
	        html_chart_js.bytes ? " data-script=closes open" : " open");
}

static void chart_end(const struct html_table *t)
{
	html_table_end(t);
	fputs("</details>\n", t->out);
}

static void write_points(struct html_table *t, const struct html_page *page)
{
	const struct report_curve *c = &page->data->curve;
	uint64_t own_lines = (uint64_t)page->gpu->l1_sets * page->gpu->l1_ways;

	for (size_t i = 0; i < c->count; i++) {
		const struct report_curve_point *p = &c->points[i];
		bool is_own = p->lines == own_lines;
		char mark[MARK_BYTES];
		const struct cell cells[] = {
			cell_number(p->lines),
			cell_number(p->lines * page->gpu->l1_line_bytes),
			cell_share(p->misses, c->reads),
			p->set_misses == UINT64_MAX ? cell_none()
						    : cell_share(p->set_misses, c->reads),
			cell_text(mark),
		};
		int length = snprintf(mark, sizeof(mark), "%s", is_own ? "this L1" : "");

		if (p->lines_error > 0)
			snprintf(mark + length, sizeof(mark) - (size_t)length,
			         "estimated: \xc2\xb1%.2f points, of \xc2\xb1%.0f lines",
			         100 * p->error / (double)c->reads, p->lines_error);
		t->row_attributes = is_own ? " data-own=1" : NULL;
		html_table_row(t, cells);
	}
}

/* Write a heading with both shares of misses if the caches of the curve differ from this L1. */
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
	static const struct headed_column columns[] = {
		HTML_COLUMN("Lines", "curve", NUMBER),
		HTML_COLUMN("Bytes", NULL, NUMBER),
		HTML_COLUMN("Fully associative", "capacity", SHARE),
		HTML_COLUMN("Sets of this GPU", "conflict", SHARE),
		HTML_COLUMN("Mark", NULL, TEXT),
	};
	const struct report_curve *c = &page->data->curve;
	struct html_table table = {
		.out = out,
		.id = "curve-table",
		.caption = "Reads that miss in an LRU cache of that many lines on each SM",
		.attributes = "data-x=\"Lines of L1 on an SM\" data-y=\"Reads that miss\" "
			      "data-unit=lines",
		.is_fixed = true,
	};

	if (!c->count) {
		fputs("<p class=note>There are no reads, hence no curve.</p>\n", out);
		return 0;
	}
	write_other_cache(out, page);
	chart_begin(out, "curve", "Miss-ratio curve: share of reads that miss against lines of L1",
	            "What to look for: a steep fall just right of the line at this L1 means that "
	            "slightly less data in use at once would fit. If the dashed line of its sets "
	            "lies above, the sets are the problem, not the size.");
	html_table_show(&table, columns, sizeof(columns) / sizeof(columns[0]));
	html_table_begin(&table);
	write_points(&table, page);
	chart_end(&table);
	fputs(c->exact_lines ? "<p>With about " : "<p>With ", out);
	html_count(out, c->enough_lines);
	fputs(c->enough_lines == 1 ? " line" : " lines", out);
	fputs(" or more on each SM, fully associative, only cold misses and those after "
	      "writes are left.",
	      out);
	if (c->exact_lines) {
		fputs(" Estimates are from a sample of the lines and hold within the given errors "
		      "in 95 of 100 cases; up to ",
		      out);
		html_count(out, c->exact_lines);
		fputs(" lines all reads are counted.", out);
	}
	fputs("</p>\n", out);
	return 0;
}

static void write_bin(const struct html_table *t, uint32_t bin, const struct l1_stats_uses *uses,
                      uint64_t lines)
{
	uint64_t first = l1_stats_bin_first(bin);
	char from[COUNT_TEXT_BYTES], to[COUNT_TEXT_BYTES], range[2 * COUNT_TEXT_BYTES + 4];
	const struct cell cells[] = {
		cell_text(range),
		cell_number(uses->lines),
		cell_share(uses->lines, lines),
		cell_number(uses->bytes_moved),
		cell_share(uses->bytes_used, uses->bytes_moved),
	};

	count_text(from, first);
	if (bin < L1_STATS_USES_EXACT)
		snprintf(range, sizeof(range), "%s", from);
	else
		snprintf(range, sizeof(range), "%s\xe2\x80\x93%s", from,
		         count_text(to, first * 2 - 1));
	html_table_row(t, cells);
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
	static const struct headed_column columns[] = {
		HTML_COLUMN("Further uses", "further", FIGURE),
		HTML_COLUMN("Stays of lines", NULL, NUMBER),
		HTML_COLUMN("Share", NULL, SHARE),
		HTML_COLUMN("Bytes moved", "moved", NUMBER),
		HTML_COLUMN("Used", "used", SHARE),
	};
	const struct l1_stats_reuse *r = &page->data->reuse;
	struct html_table table = {
		.out = out,
		.id = "reuse-table",
		.caption = "Stays of lines in L1 by their further uses",
		.attributes = "data-x=\"Further uses of a line before it leaves L1\" "
			      "data-y=\"Stays of lines\"",
		.is_fixed = true,
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
	html_table_show(&table, columns, sizeof(columns) / sizeof(columns[0]));
	html_table_begin(&table);
	for (uint32_t i = 0; i <= last; i++)
		write_bin(&table, i, &r->uses[i], lines);
	chart_end(&table);
	return 0;
}
