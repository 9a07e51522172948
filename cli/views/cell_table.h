/*
 * cell_table - writes rows of cells as text, CSV, NDJSON or a timeline; html_table.h writes them as
 * the table of a page, sum_columns.h as a table of fixed widths.
 *
 * Rows are written at once, except that text keeps the first rows to find the widths of its
 * columns. CSV strings are those of text_write_csv(), JSON strings those of text_write_json(). A
 * cell without a value is empty in CSV, null in NDJSON and - in text, which shows control
 * characters as
 * \xNN.
 */
#ifndef CELL_TABLE_H
#define CELL_TABLE_H

#include "cell.h"
#include "str.h"

#include <stdio.h>

struct err;

enum { CELL_TABLE_COLUMNS = 64, CELL_TABLE_TEXT_ROWS = 256 };

struct cell_table {
	FILE *out; /* borrowed; callers need not check for write errors */
	const struct cell_column *shown[CELL_TABLE_COLUMNS];
	uint32_t count; /* of shown */
	const struct cell_table_format *format;
	/* Of text: */
	char **held;   /* CELL_TABLE_TEXT_ROWS * count cells; NULL after the first rows */
	uint32_t rows; /* held */
	size_t width[CELL_TABLE_COLUMNS];
	void *context; /* of other formats */
};

struct cell_table_format {
	const char *name;
	/* Each returns 0 or a negative ERR_*; begin may be NULL. */
	int (*begin)(struct cell_table *t, struct err *err);
	int (*row)(struct cell_table *t, const struct cell *cells, struct err *err);
	int (*end)(struct cell_table *t, struct err *err);
};

extern const struct cell_table_format cell_table_as_text, cell_table_as_csv, cell_table_as_json;

/* A column as reports head it. */
struct headed_column {
	struct cell_column is;
	const char *heading; /* in text */
	const char *title;   /* in a page, */
	const char *word;    /* where it links to this word of html_glossary.h; NULL: to none */
};

/* Show these columns, `count` of them, after any that are shown already, and begin in t->format.
 * Returns 0 or ERR_NOMEM. */
int cell_table_begin(struct cell_table *t, const struct cell_column *columns, uint32_t count,
                     struct err *err);

/* Free what it holds. Accepts a zeroed struct. */
void cell_table_release(struct cell_table *t);

/* Write a cell as JSON. */
void cell_table_write_json(FILE *out, const struct cell_column *column, const struct cell *cell);

#endif
