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
	HTML_L1_COLUMNS,
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
	write_place(out, d, line);
	html_cell_text(out, d->recording->kernels[line->kernel].table.name);
	write_text(out, line->text);
	html_l1_cells(out, &line->l1, &d->total.l1);
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
