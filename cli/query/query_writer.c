/* SPDX-License-Identifier: Apache-2.0 */
#include "query_writer.h"

#include "array.h"
#include "err.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A number as CSV and JSON have it. */
static void write_number(FILE *out, const struct query_column *column,
                         const struct query_value *cell)
{
	if (column->type == QUERY_REAL)
		fprintf(out, "%.10g", cell->real);
	else
		fprintf(out, column->type == QUERY_ADDRESS ? "0x%" PRIx64 : "%" PRIu64,
		        cell->number);
}

void query_write_json_cell(FILE *out, const struct query_column *column,
                           const struct query_value *cell)
{
	if (cell->is_none)
		fputs("null", out);
	else if (query_type_is_text(column->type))
		text_write_json(out, cell->text);
	else if (column->type == QUERY_ADDRESS)
		fprintf(out, "\"0x%" PRIx64 "\"", cell->number);
	else
		write_number(out, column, cell);
}

static int json_row(struct query_writer *w, const struct query_value *cells, struct err *err)
{
	(void)err;
	for (uint32_t i = 0; i < w->count; i++) {
		fprintf(w->out, "%s\"%s\":", i ? "," : "{", w->shown[i]->name);
		query_write_json_cell(w->out, w->shown[i], &cells[i]);
	}
	fputs("}\n", w->out);
	return 0;
}

static int csv_begin(struct query_writer *w, struct err *err)
{
	(void)err;
	for (uint32_t i = 0; i < w->count; i++)
		fprintf(w->out, "%s%s", i ? "," : "", w->shown[i]->name);
	fputc('\n', w->out);
	return 0;
}

static int csv_row(struct query_writer *w, const struct query_value *cells, struct err *err)
{
	(void)err;
	for (uint32_t i = 0; i < w->count; i++) {
		if (i)
			fputc(',', w->out);
		if (cells[i].is_none)
			continue;
		if (query_type_is_text(w->shown[i]->type))
			text_write_csv(w->out, cells[i].text);
		else
			write_number(w->out, w->shown[i], &cells[i]);
	}
	fputc('\n', w->out);
	return 0;
}

/* A cell of text, on the heap. */
static char *text_cell(const struct query_column *column, const struct query_value *cell,
                       struct err *err)
{
	if (cell->is_none)
		return str_copy("-", err);
	if (query_type_is_text(column->type))
		return str_visible(cell->text, err);
	if (column->type == QUERY_REAL)
		return str_format(err, "%.4g", cell->real);
	return str_format(err, column->type == QUERY_ADDRESS ? "0x%" PRIx64 : "%" PRIu64,
	                  cell->number);
}

/* Texts to the left, the last one without blanks behind it; numbers to the right. */
static void print_cell(const struct query_writer *w, uint32_t column, const char *text)
{
	size_t width = text_width(text);
	int blanks = (int)(w->width[column] > width ? w->width[column] - width : 0);

	if (column)
		fputs("  ", w->out);
	if (!query_type_is_text(w->shown[column]->type))
		fprintf(w->out, "%*s%s", blanks, "", text);
	else
		fprintf(w->out, "%s%*s", text, column + 1 < w->count ? blanks : 0, "");
	if (column + 1 == w->count)
		fputc('\n', w->out);
}

static void free_held(struct query_writer *w)
{
	for (size_t i = 0; w->held && i < (size_t)w->rows * w->count; i++)
		free(w->held[i]);
	free(w->held);
	w->held = NULL;
}

/* Print the head and the rows that were held back. */
static void print_held(struct query_writer *w)
{
	for (uint32_t i = 0; i < w->count; i++)
		print_cell(w, i, w->shown[i]->name);
	for (size_t i = 0; i < (size_t)w->rows * w->count; i++)
		print_cell(w, (uint32_t)(i % w->count), w->held[i]);
	free_held(w);
}

static int text_begin(struct query_writer *w, struct err *err)
{
	for (uint32_t i = 0; i < w->count; i++)
		w->width[i] = strlen(w->shown[i]->name);
	w->held = array_alloc((size_t)QUERY_TEXT_ROWS * w->count, sizeof(char *), "rows", err);
	return w->held ? 0 : ERR_NOMEM;
}

static int text_row(struct query_writer *w, const struct query_value *cells, struct err *err)
{
	bool is_held = w->held;

	if (is_held)
		w->rows++;
	for (uint32_t i = 0; i < w->count; i++) {
		char *cell = text_cell(w->shown[i], &cells[i], err);

		if (!cell)
			return ERR_NOMEM;
		if (is_held) {
			w->held[(size_t)(w->rows - 1) * w->count + i] = cell;
			if (text_width(cell) > w->width[i])
				w->width[i] = text_width(cell);
		} else {
			print_cell(w, i, cell);
			free(cell);
		}
	}
	if (is_held && w->rows == QUERY_TEXT_ROWS)
		print_held(w);
	return 0;
}

static int text_end(struct query_writer *w, struct err *err)
{
	(void)err;
	if (w->held)
		print_held(w);
	return 0;
}

static int end_nothing(struct query_writer *w, struct err *err)
{
	(void)w;
	(void)err;
	return 0;
}

const struct query_format query_as_text = { "text", text_begin, text_row, text_end };
const struct query_format query_as_csv = { "csv", csv_begin, csv_row, end_nothing };
const struct query_format query_as_json = { "json", NULL, json_row, end_nothing };

void query_writer_release(struct query_writer *w)
{
	free_held(w);
}
