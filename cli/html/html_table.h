/*
 * html_table - tables of a page: they are whole without a script, and sort and filter with one.
 *
 * End tags of cells and rows are left out, as HTML allows: a table of a thousand rows is a third
 * smaller so. Who calls need not look for errors of writing.
 */
#ifndef HTML_TABLE_H
#define HTML_TABLE_H

#include "html_terms.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct html_column {
	const char *title;
	enum html_term term; /* what it means; HTML_TERM_NONE: its title says it */
	bool is_text;        /* to the left, sorted as text; else to the right, as numbers */
};

struct html_table {
	const char *id, *caption; /* ours, not escaped */
	const char *filter;       /* label of its field; NULL: none */
	const char *attributes;   /* more of <table>; NULL: none */
	bool is_fixed;            /* its order is its meaning: it does not sort */
	const struct html_column *columns;
	size_t column_count;
};

/* Up to and with the head; then rows; then the end. */
void html_table_begin(FILE *out, const struct html_table *t);
void html_table_end(FILE *out);

/* A row begins with its heading. */
void html_row_text(FILE *out, const char *text);

/* Further cells. */
void html_cell_text(FILE *out, const char *text);
void html_cell_count(FILE *out, uint64_t count);
void html_cell_share(FILE *out, uint64_t part, uint64_t whole);
void html_cell_ratio(FILE *out, uint64_t part, uint64_t whole);

#endif
