/* SPDX-License-Identifier: Apache-2.0 */
#include "sum_columns.h"

#include "l1_stats.h"
#include "shape_text.h"

static const struct table_column columns_of[] = {
#define SUM_COLUMN(ID, name, unit, heading, title, word, type, value)                              \
	{ { name, unit, NULL, CELL_##type }, heading, title, word },
#include "sum_columns.def"
#undef SUM_COLUMN
};

static struct cell cell_of(enum sum_column column, const struct l1_stats_row *row,
                           const struct l1_stats_row *all)
{
	const struct cell cells[] = {
#define SUM_COLUMN(ID, name, unit, heading, title, word, type, value) value,
#include "sum_columns.def"
#undef SUM_COLUMN
	};

	return cells[column];
}

static void print_cell(FILE *out, int width, enum cell_type type, const struct cell *cell)
{
	char text[COUNT_TEXT_BYTES] = "-";

	if (!cell->is_none && type == CELL_NUMBER)
		count_text(text, cell->number);
	else if (!cell->is_none)
		snprintf(text, sizeof(text), type == CELL_SHARE ? "%.2f%%" : "%.2f", cell->real);
	fprintf(out, " %*s", width, text);
}

void sum_text_head(FILE *out, const struct sum_text *columns, size_t count,
                   const struct l1_stats_row *all, const char *what)
{
	fputc(' ', out);
	for (size_t i = 0; i < count; i++)
		if (columns[i].column != SUM_SECTOR || all->sector)
			fprintf(out, " %*s", columns[i].width,
			        columns_of[columns[i].column].heading);
	fprintf(out, "  %s\n", what);
}

void sum_text_row(FILE *out, const struct sum_text *columns, size_t count,
                  const struct l1_stats_row *row, const struct l1_stats_row *all)
{
	fputc(' ', out);
	for (size_t i = 0; i < count; i++) {
		enum sum_column column = columns[i].column;
		struct cell cell = cell_of(column, row, all);

		if (column != SUM_SECTOR || all->sector)
			print_cell(out, columns[i].width, columns_of[column].is.type, &cell);
	}
	fputs("  ", out);
}

/* Whether a column is a class that no miss has. */
static bool is_empty(enum sum_column column, const struct l1_stats_row *all)
{
	const uint64_t classes[SUM_COLUMNS] = { [SUM_COLD] = all->cold,
		                                [SUM_COHERENCE] = all->coherence,
		                                [SUM_CAPACITY] = all->capacity,
		                                [SUM_CONFLICT] = all->conflict,
		                                [SUM_SECTOR] = all->sector };

	return column >= SUM_COLD && column <= SUM_SECTOR && !classes[column];
}

void sum_page_show(struct html_table *t, const enum sum_column *columns, size_t count,
                   const struct l1_stats_row *all)
{
	for (size_t i = 0; i < count; i++)
		if (!is_empty(columns[i], all))
			html_table_show(t, &columns_of[columns[i]], 1);
}

size_t sum_page_cells(struct cell *cells, size_t used, const enum sum_column *columns, size_t count,
                      const struct l1_stats_row *row, const struct l1_stats_row *all)
{
	for (size_t i = 0; i < count; i++)
		if (!is_empty(columns[i], all))
			cells[used++] = cell_of(columns[i], row, all);
	return used;
}
