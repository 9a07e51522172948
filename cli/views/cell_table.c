/* SPDX-License-Identifier: Apache-2.0 */
#include "cell_table.h"

#include "array.h"
#include "err.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Write a number as in CSV and JSON. */
static void write_number(FILE *out, const struct cell_column *column, const struct cell *cell)
{
	if (column->type == CELL_REAL || column->type == CELL_SHARE)
		fprintf(out, "%.10g", cell->real);
	else
		fprintf(out, column->type == CELL_ADDRESS ? "0x%" PRIx64 : "%" PRIu64,
		        cell->number);
}

void cell_table_write_json(FILE *out, const struct cell_column *column, const struct cell *cell)
{
	if (cell->is_none)
		fputs("null", out);
	else if (cell_type_is_text(column->type))
		text_write_json(out, cell->text);
	else if (column->type == CELL_ADDRESS)
		fprintf(out, "\"0x%" PRIx64 "\"", cell->number);
	else
		write_number(out, column, cell);
}

static int json_row(struct cell_table *t, const struct cell *cells, struct err *err)
{
	(void)err;
	for (uint32_t i = 0; i < t->count; i++) {
		fprintf(t->out, "%s\"%s\":", i ? "," : "{", t->shown[i]->name);
		cell_table_write_json(t->out, t->shown[i], &cells[i]);
	}
	fputs("}\n", t->out);
	return 0;
}

static int csv_begin(struct cell_table *t, struct err *err)
{
	(void)err;
	for (uint32_t i = 0; i < t->count; i++)
		fprintf(t->out, "%s%s", i ? "," : "", t->shown[i]->name);
	fputc('\n', t->out);
	return 0;
}

static int csv_row(struct cell_table *t, const struct cell *cells, struct err *err)
{
	(void)err;
	for (uint32_t i = 0; i < t->count; i++) {
		if (i)
			fputc(',', t->out);
		if (cells[i].is_none)
			continue;
		if (cell_type_is_text(t->shown[i]->type))
			text_write_csv(t->out, cells[i].text);
		else
			write_number(t->out, t->shown[i], &cells[i]);
	}
	fputc('\n', t->out);
	return 0;
}

/* Returns a cell as text, on the heap. */
static char *text_cell(const struct cell_column *column, const struct cell *cell, struct err *err)
{
	if (cell->is_none)
		return str_copy("-", err);
	if (cell_type_is_text(column->type))
		return str_visible(cell->text, err);
	if (column->type == CELL_REAL || column->type == CELL_SHARE)
		return str_format(err, "%.4g", cell->real);
	return str_format(err, column->type == CELL_ADDRESS ? "0x%" PRIx64 : "%" PRIu64,
	                  cell->number);
}

/* Print strings left-aligned, the last one without trailing blanks, and numbers right-aligned. */
static void print_cell(const struct cell_table *t, uint32_t column, const char *text)
{
	size_t width = text_width(text);
	int blanks = (int)(t->width[column] > width ? t->width[column] - width : 0);

	if (column)
		fputs("  ", t->out);
	if (!cell_type_is_text(t->shown[column]->type))
		fprintf(t->out, "%*s%s", blanks, "", text);
	else
		fprintf(t->out, "%s%*s", text, column + 1 < t->count ? blanks : 0, "");
	if (column + 1 == t->count)
		fputc('\n', t->out);
}

static void free_held(struct cell_table *t)
{
	for (size_t i = 0; t->held && i < (size_t)t->rows * t->count; i++)
		free(t->held[i]);
	free(t->held);
	t->held = NULL;
}

/* Print the head and the rows that were held back. */
static void print_held(struct cell_table *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		print_cell(t, i, t->shown[i]->name);
	for (size_t i = 0; i < (size_t)t->rows * t->count; i++)
		print_cell(t, (uint32_t)(i % t->count), t->held[i]);
	free_held(t);
}

static int text_begin(struct cell_table *t, struct err *err)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->width[i] = strlen(t->shown[i]->name);
	t->held = array_alloc((size_t)CELL_TABLE_TEXT_ROWS * t->count, sizeof(char *), "rows", err);
	return t->held ? 0 : ERR_NOMEM;
}

static int text_row(struct cell_table *t, const struct cell *cells, struct err *err)
{
	bool is_held = t->held;

	if (is_held)
		t->rows++;
	for (uint32_t i = 0; i < t->count; i++) {
		char *cell = text_cell(t->shown[i], &cells[i], err);

		if (!cell)
			return ERR_NOMEM;
		if (is_held) {
			t->held[(size_t)(t->rows - 1) * t->count + i] = cell;
			if (text_width(cell) > t->width[i])
				t->width[i] = text_width(cell);
		} else {
			print_cell(t, i, cell);
			free(cell);
		}
	}
	if (is_held && t->rows == CELL_TABLE_TEXT_ROWS)
		print_held(t);
	return 0;
}

static int text_end(struct cell_table *t, struct err *err)
{
	(void)err;
	if (t->held)
		print_held(t);
	return 0;
}

static int end_nothing(struct cell_table *t, struct err *err)
{
	(void)t;
	(void)err;
	return 0;
}

const struct cell_table_format cell_table_as_text = { "text", text_begin, text_row, text_end };
const struct cell_table_format cell_table_as_csv = { "csv", csv_begin, csv_row, end_nothing };
const struct cell_table_format cell_table_as_json = { "json", NULL, json_row, end_nothing };

int cell_table_begin(struct cell_table *t, const struct cell_column *columns, uint32_t count,
                     struct err *err)
{
	for (uint32_t i = 0; i < count && t->count < CELL_TABLE_COLUMNS; i++)
		t->shown[t->count++] = &columns[i];
	return t->format->begin ? t->format->begin(t, err) : 0;
}

void cell_table_release(struct cell_table *t)
{
	free_held(t);
}
