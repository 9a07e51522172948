/* SPDX-License-Identifier: Apache-2.0 */
#include "html_table.h"

#include "html_glossary.h"
#include "html_text.h"

#include <assert.h>

/* Whether cells are left-aligned and sort as text. */
static bool is_to_the_left(enum cell_type type)
{
	return type != CELL_FIGURE && (cell_type_is_text(type) || type == CELL_MARKUP);
}

void html_table_show(struct html_table *t, const struct headed_column *columns, size_t count)
{
	assert(t->count + count <= CELL_TABLE_COLUMNS);
	for (size_t i = 0; i < count; i++)
		t->shown[t->count++] = &columns[i];
}

static void write_heading(FILE *out, const struct headed_column *c)
{
	fprintf(out, "<th scope=col class=\"%s%s\"><span class=h>%s</span>",
	        is_to_the_left(c->is.type) ? "t" : "n", c->word ? " k" : "", c->title);
	if (c->word)
		html_glossary_link(out, c->word);
	fputc('\n', out);
}

void html_table_begin(const struct html_table *t)
{
	FILE *out = t->out;

	fprintf(out, "<div class=scroll tabindex=0 role=region aria-label=\"%s\">\n<table id=%s",
	        t->caption, t->id);
	if (!t->is_fixed)
		fputs(" class=sorts", out);
	if (t->filter)
		fprintf(out, " data-filter=\"%s\"", t->filter);
	if (t->attributes)
		fprintf(out, " %s", t->attributes);
	fprintf(out, "><caption>%s</caption><thead><tr>\n", t->caption);
	for (size_t i = 0; i < t->count; i++)
		write_heading(out, t->shown[i]);
	fputs("<tbody>\n", out);
}

static void write_number(FILE *out, enum cell_type type, const struct cell *cell)
{
	if (cell->is_none)
		fputs("\xe2\x80\x93", out);
	else if (type == CELL_SHARE)
		fprintf(out, "%.1f%%", cell->real);
	else if (type == CELL_REAL)
		fprintf(out, "%.2f", cell->real);
	else
		html_count(out, cell->number);
}

static void write_cell(FILE *out, enum cell_type type, const struct cell *cell, bool is_heading)
{
	bool is_code = type == CELL_CODE;

	if (is_heading)
		fputs(is_code                ? "<th scope=row class=\"t code\">"
		      : is_to_the_left(type) ? "<th scope=row class=t>"
		                             : "<th scope=row>",
		      out);
	else
		fputs(is_code                ? "<td class=t><code>"
		      : is_to_the_left(type) ? "<td class=t>"
		                             : "<td>",
		      out);
	if (type == CELL_MARKUP)
		fputs(cell->text, out);
	else if (cell_type_is_text(type))
		html_string(out, cell->text);
	else
		write_number(out, type, cell);
	if (is_code && !is_heading)
		fputs("</code>", out);
}

void html_table_row(const struct html_table *t, const struct cell *cells)
{
	fprintf(t->out, "<tr%s>", t->row_attributes ? t->row_attributes : "");
	for (size_t i = 0; i < t->count; i++)
		write_cell(t->out, t->shown[i]->is.type, &cells[i], !i);
	fputc('\n', t->out);
}

void html_table_end(const struct html_table *t)
{
	fputs("</table></div>\n", t->out);
}
