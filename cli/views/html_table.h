/*
 * html_table - tables of a page (report --html), of the columns and cells of cell_table.h. They are
 * whole without a script, and sort and filter with one.
 *
 *	struct html_table t = { .out = out, .id = "gpu-table", .caption = "The GPU" };
 *
 *	html_table_show(&t, columns, count);
 *	html_table_begin(&t);
 *	html_table_row(&t, cells); ...
 *	html_table_end(&t);
 *
 * The first cell of a row is its heading. End tags of cells and rows are left out, as HTML allows:
 *a table of a thousand rows is a third smaller that way. Callers need not check for write errors.
 */
#ifndef HTML_TABLE_H
#define HTML_TABLE_H

#include "cell_table.h"

#include <stddef.h>

struct html_table {
	FILE *out;
	const char *id, *caption;   /* not escaped */
	const char *filter;         /* label of the field that filters rows; NULL: no filter */
	const char *attributes;     /* further ones of <table>; NULL: none */
	const char *row_attributes; /* of the rows that follow, " data-own=1"; NULL: none */
	bool is_fixed;              /* the order of the rows has a meaning: they do not sort */
	const struct headed_column *shown[CELL_TABLE_COLUMNS];
	size_t count; /* of shown */
};

/* A column that only pages have: its title, the word that it links to, its type. */
#define HTML_COLUMN(title, word, type) { { title, "", NULL, CELL_##type }, title, title, word }

/* Append columns, which are borrowed. */
void html_table_show(struct html_table *t, const struct headed_column *columns, size_t count);

/* Write the head; a row, with a cell for each column; and the end. */
void html_table_begin(const struct html_table *t);
void html_table_row(const struct html_table *t, const struct cell *cells);
void html_table_end(const struct html_table *t);

#endif
