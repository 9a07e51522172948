/* SPDX-License-Identifier: Apache-2.0 */
#include "html_sections.h"
#include "html_table.h"
#include "html_text.h"
#include "recording.h"
#include "report_data.h"

#include <inttypes.h>

enum { TEXT_BYTES = 120 };

static const struct html_column columns[] = {
	{ "Place", HTML_TERM_site, true },
	{ "Kernel", HTML_TERM_NONE, true },
	{ "Source", HTML_TERM_NONE, true },
	{ "Requests", HTML_TERM_request, false },
	{ "Lanes per request", HTML_TERM_lanes, false },
	{ "Misses", HTML_TERM_miss, false },
	{ "Of all misses", HTML_TERM_NONE, false },
	{ "Miss rate", HTML_TERM_rate, false },
	HTML_CLASS_COLUMNS,
	{ "Bytes moved", HTML_TERM_moved, false },
	{ "Used", HTML_TERM_used, false },
};

static void write_place(FILE *out, const struct report_data *d, const struct report_line *line)
{
	fputs("<tr><th scope=row class=\"t code\">", out);
	if (line->file) {
		html_string(out, line->file);
		fprintf(out, ":%" PRIu32, line->line);
	} else {
		fprintf(out, "site %" PRIu32, d->sites[line->site].site);
	}
}

static void write_text(FILE *out, const char *text)
{
	size_t length = 0;

	while (text && text[length] && length < TEXT_BYTES)
		length++;
	fputs("<td class=t><code>", out);
	if (text)
		html_text(out, text, length);
	fputs("</code>", out);
}

static void write_line(FILE *out, const struct report_data *d, const struct report_line *line)
{
	const struct l1_stats_row *l1 = &line->l1;

	write_place(out, d, line);
	html_cell_text(out, d->recording->kernels[line->kernel].table.name);
	write_text(out, line->text);
	html_cell_count(out, html_requests(l1));
	html_cell_ratio(out, l1->lanes, html_requests(l1));
	html_cell_count(out, l1->read_misses);
	html_cell_share(out, l1->read_misses, d->total.l1.read_misses);
	html_cell_share(out, l1->read_misses, l1->reads);
	html_class_cells(out, l1, &d->total.l1);
	html_cell_count(out, l1->bytes_moved);
	html_cell_share(out, l1->bytes_used, l1->bytes_moved);
	fputc('\n', out);
}

void html_lines_write(const struct report_data *d, FILE *out)
{
	size_t shown = d->line_count < HTML_ROWS_MAX ? d->line_count : HTML_ROWS_MAX;
	const struct html_table table = { .id = "line-table",
		                          .caption =
		                                  "Source lines of each kernel, most misses first",
		                          .filter = "Filter by place, kernel or text",
		                          .columns = columns,
		                          .column_count = sizeof(columns) / sizeof(columns[0]) };

	fputs("<h3>All lines</h3>\n", out);
	html_class_table_begin(out, &table, &d->total.l1);
	for (size_t i = 0; i < shown; i++)
		write_line(out, d, &d->lines[i]);
	html_table_end(out);
	html_left_out(out, d->line_count - shown, "lines");
}
