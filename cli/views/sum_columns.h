/*
 * sum_columns - the columns of tables of L1's sums (sum_columns.def), which reports choose from: in
 * text of fixed widths, and in pages.
 */
#ifndef SUM_COLUMNS_H
#define SUM_COLUMNS_H

#include "html_table.h"

struct l1_stats_row;

enum sum_column {
#define SUM_COLUMN(ID, name, unit, heading, title, word, type, value) SUM_##ID,
#include "sum_columns.def"
#undef SUM_COLUMN
	SUM_COLUMNS
};

/* A column of a table of text. */
struct sum_text {
	enum sum_column column;
	int width;
};

/*
 * Print the head of a table of text, with `what` over the labels; and the numbers of a row, without
 * its label and newline. SUM_SECTOR is left out if no miss of `all` is of that class.
 */
void sum_text_head(FILE *out, const struct sum_text *columns, size_t count,
                   const struct l1_stats_row *all, const char *what);
void sum_text_row(FILE *out, const struct sum_text *columns, size_t count,
                  const struct l1_stats_row *row, const struct l1_stats_row *all);

/* Append columns to a page's table; and the cells of a row to `cells`, of which there are `used`.
 * Classes that no miss of `all` has are left out. Returns how many cells there are then. */
void sum_page_show(struct html_table *t, const enum sum_column *columns, size_t count,
                   const struct l1_stats_row *all);
size_t sum_page_cells(struct cell *cells, size_t used, const enum sum_column *columns, size_t count,
                      const struct l1_stats_row *row, const struct l1_stats_row *all);

#endif
