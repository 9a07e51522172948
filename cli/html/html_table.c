/* SPDX-License-Identifier: Apache-2.0 */
#include "html_table.h"

#include "html_text.h"

static void write_column(FILE *out, const struct html_column *c)
{
	bool has_term = c->term != HTML_TERM_NONE;

	fprintf(out, "<th scope=col class=\"%s%s\"><span class=h>%s</span>", c->is_text ? "t" : "n",
	        has_term ? " k" : "", c->title);
	if (has_term)
		html_term_link(out, c->term);
	fputc('\n', out);
}

void html_table_begin(FILE *out, const struct html_table *t)
{
	fprintf(out, "<div class=scroll tabindex=0 role=region aria-label=\"%s\">\n<table id=%s",
	        t->caption, t->id);
	if (!t->is_fixed)
		fputs(" class=sorts", out);
	if (t->filter)
		fprintf(out, " data-filter=\"%s\"", t->filter);
	if (t->attributes)
		fprintf(out, " %s", t->attributes);
	fprintf(out, "><caption>%s</caption><thead><tr>\n", t->caption);
	for (size_t i = 0; i < t->column_count; i++)
		write_column(out, &t->columns[i]);
	fputs("<tbody>\n", out);
}

void html_table_end(FILE *out)
{
	fputs("</table></div>\n", out);
}

void html_row_text(FILE *out, const char *text)
{
	fputs("<tr><th scope=row class=t>", out);
	html_string(out, text);
}

void html_cell_text(FILE *out, const char *text)
{
	fputs("<td class=t>", out);
	html_string(out, text);
}

void html_cell_count(FILE *out, uint64_t count)
{
	fputs("<td>", out);
	html_count(out, count);
}

void html_cell_share(FILE *out, uint64_t part, uint64_t whole)
{
	fputs("<td>", out);
	html_share(out, part, whole);
}

void html_cell_ratio(FILE *out, uint64_t part, uint64_t whole)
{
	fputs("<td>", out);
	html_ratio(out, part, whole);
}
