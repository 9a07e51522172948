/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a program's lines are sums over its kernels. Lines of other files (headers) have
 * no text here; they are in the table that follows. Rows are written by hand: they are hot or gaps,
 * and a narrow page shows them without the table. */
#include "html_page.h"

#include "err.h"
#include "html_table.h"
#include "html_text.h"
#include "recording.h"
#include "report_data.h"

#include <inttypes.h>
#include <stdlib.h>

/* Programs of up to WHOLE_LINES are shown whole, of longer ones the lines near accesses; of all
 * programs together at most SHOWN_LINES and SHOWN_BYTES, and LINE_BYTES of a line. */
enum {
	WHOLE_LINES = 400,
	NEAR_LINES = 6,
	SHOWN_LINES = 2500,
	SHOWN_BYTES = 200000,
	LINE_BYTES = 400
};

/* A line is hot from this percentage of all misses on. */
enum { HOT_PERCENT = 10 };

struct source_lines {
	const struct source_text *source;
	uint32_t program;
	struct l1_stats_row *rows; /* by line */
	uint32_t count;
	uint32_t shown; /* lines written so far, including earlier sources */
	size_t bytes;   /* and their bytes */
};

static int add_up(struct source_lines *s, const struct report_data *d, struct err *err)
{
	s->count = s->source->line_count;
	s->rows = calloc((size_t)s->count + 1, sizeof(*s->rows));
	if (!s->rows)
		return err_set(err, ERR_NOMEM, "out of memory for a source of %" PRIu32 " lines",
		               s->count);
	for (size_t i = 0; i < d->line_count; i++) {
		const struct report_line *l = &d->lines[i];
		uint32_t index;

		if (d->recording->kernels[l->kernel].program == s->program &&
		    source_text_find(s->source, l->file, l->line, &index))
			l1_stats_add(&s->rows[index], &l->l1);
	}
	return 0;
}

static bool has_accesses(const struct source_lines *s, uint32_t line)
{
	return l1_stats_requests(&s->rows[line]) > 0;
}

static bool is_near(const struct source_lines *s, uint32_t line)
{
	uint32_t first = line > NEAR_LINES ? line - NEAR_LINES : 0;

	if (s->count <= WHOLE_LINES)
		return true;
	for (uint32_t i = first; i <= line + NEAR_LINES && i < s->count; i++)
		if (has_accesses(s, i))
			return true;
	return false;
}

static bool is_hot(const struct l1_stats_row *row, const struct report_data *d)
{
	return row->read_misses &&
	       100 * (double)row->read_misses >= HOT_PERCENT * (double)d->total.l1.read_misses;
}

static void write_figures(FILE *out, const struct l1_stats_row *row)
{
	fputs("<td class=n data-l=requests>", out);
	html_count(out, l1_stats_requests(row));
	fputs("<td class=n data-l=\"lanes per request\">", out);
	html_ratio(out, row->lanes, l1_stats_requests(row));
	fputs("<td class=n data-l=misses>", out);
	html_count(out, row->read_misses);
	fputs("<td class=n data-l=\"miss rate\">", out);
	html_share(out, row->read_misses, row->reads);
	fputs("<td class=\"n c\" data-l=\"mostly\">", out);
	html_class_write(out, row);
	fputs("<td class=n data-l=used>", out);
	html_share(out, row->bytes_used, row->bytes_moved);
}

static void write_line(FILE *out, const struct source_lines *s, uint32_t line, struct line text,
                       bool is_hot_line)
{
	uint32_t number = source_text_number(s->source, line);

	while (text.length && text.text[text.length - 1] == ' ')
		text.length--;
	fprintf(out, "<tr%s><th scope=row class=line>%s", is_hot_line ? " class=hot" : "",
	        is_hot_line ? "\xe2\x96\xb6&nbsp;" : "");
	if (number)
		fprintf(out, "%" PRIu32, number);
	if (has_accesses(s, line))
		write_figures(out, &s->rows[line]);
	else
		fputs("<td class=n><td class=n><td class=n><td class=n><td class=n><td class=n>",
		      out);
	fputs("<td class=code>", out);
	html_text(out, text.text, text.length < LINE_BYTES ? text.length : LINE_BYTES);
	fputs(text.length > LINE_BYTES ? " \xe2\x80\xa6 (cut)" : "", out);
	fputs(is_hot_line ? "<span class=badge>hot</span>\n" : "\n", out);
}

static void write_gap(FILE *out, uint32_t lines)
{
	if (!lines)
		return;
	fputs("<tr class=gap><td colspan=8>\xe2\x80\xa6 ", out);
	html_count(out, lines);
	fputs(lines == 1 ? " line without accesses\n" : " lines without accesses\n", out);
}

static bool has_room(const struct source_lines *s)
{
	return s->shown < SHOWN_LINES && s->bytes < SHOWN_BYTES;
}

static void write_lines(FILE *out, struct source_lines *s, const struct report_data *d)
{
	uint32_t gap = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		if (is_near(s, i) && has_room(s)) {
			struct line text = source_text_line(s->source, i);

			write_gap(out, gap);
			gap = 0;
			write_line(out, s, i, text, is_hot(&s->rows[i], d));
			s->shown++;
			s->bytes += text.length < LINE_BYTES ? text.length : LINE_BYTES;
		} else {
			gap++;
		}
	}
	if (has_room(s))
		write_gap(out, gap);
	else if (gap)
		fputs("<tr class=gap><td colspan=8>\xe2\x80\xa6 the rest is not shown: this page "
		      "has "
		      "room for 2,500 lines of all sources\n",
		      out);
}

static void write_source(FILE *out, struct source_lines *s, const struct report_data *d)
{
	static const struct headed_column columns[] = {
		HTML_COLUMN("Line", NULL, NUMBER),
		HTML_COLUMN("Requests", "request", NUMBER),
		HTML_COLUMN("Lanes per request", "lanes", REAL),
		HTML_COLUMN("Misses", "miss", NUMBER),
		HTML_COLUMN("Miss rate", "rate", SHARE),
		HTML_COLUMN("Mostly", "cold", TEXT),
		HTML_COLUMN("Used", "used", SHARE),
		HTML_COLUMN("Source", NULL, CODE),
	};
	char id[32];
	struct html_table table = { .out = out,
		                    .id = id,
		                    .caption =
		                            "Source lines with the class of most of their misses; "
		                            "the table of all lines has the other classes",
		                    .is_fixed = true };

	snprintf(id, sizeof(id), "source-%" PRIu32, s->program);
	fputs("<div class=source><h3 class=code>", out);
	html_string(out, s->source->file);
	fputs("</h3>\n", out);
	html_table_show(&table, columns, sizeof(columns) / sizeof(columns[0]));
	html_table_begin(&table);
	write_lines(out, s, d);
	html_table_end(&table);
	fputs("</div>\n", out);
}

static bool is_played(const struct report_data *d, uint32_t program)
{
	for (size_t i = 0; i < d->kernel_count; i++)
		if (d->recording->kernels[d->kernels[i].kernel].program == program)
			return true;
	return false;
}

/* Write all programs whose kernels were replayed. */
static int write_sources(const struct report_data *d, FILE *out, struct err *err)
{
	struct source_lines s = { 0 };
	int ret = 0;

	for (size_t i = 0; !ret && i < d->source_count; i++) {
		s.source = &d->sources[i];
		s.program = (uint32_t)i;
		if (!s.source->file || !is_played(d, s.program))
			continue;
		ret = add_up(&s, d, err);
		if (!ret)
			write_source(out, &s, d);
		free(s.rows);
	}
	if (!ret && !s.shown)
		fputs("<p class=note><b>No source:</b> the recording lacks the source of these "
		      "programs, or that of their lines.</p>\n",
		      out);
	return ret;
}

int html_section_source(const struct html_page *page, FILE *out, struct err *err)
{
	int ret;

	fprintf(out,
	        "<p class=says>Lines with %d%% or more of all misses are marked "
	        "<span class=badge>hot</span>. Figures are of all launches of all kernels of a "
	        "program.</p>\n",
	        HOT_PERCENT);
	ret = write_sources(page->data, out, err);
	if (!ret)
		html_lines_write(page->data, out);
	return ret;
}
