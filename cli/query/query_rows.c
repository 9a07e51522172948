/* SPDX-License-Identifier: Apache-2.0 */
#include "query_rows.h"

#include "err.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* A kept row: its keys, then the shown cells. */
struct query_kept_row {
	uint64_t number; /* number among the matching rows; equal rows keep their order */
	const struct query_rows *of;
	struct cell *cells;
};

void query_rows_init(struct query_rows *r)
{
	array_init(&r->kept, sizeof(struct query_kept_row), SIZE_MAX, "rows to sort");
}

/* Add a column after those chosen, if it is not there. */
static void show(struct query_rows *r, uint32_t column)
{
	struct cell_table *w = r->writer;

	for (uint32_t i = 0; i < w->count; i++)
		if (r->shown[i] == column)
			return;
	if (w->count == CELL_TABLE_COLUMNS)
		return;
	r->shown[w->count] = column;
	w->shown[w->count++] = &r->columns->list[column].is;
}

static int take_name(struct query_rows *r, const char *option, const char **names, uint32_t *column,
                     struct err *err)
{
	size_t length = strcspn(*names, ",");
	struct err why = { 0 };

	if (query_columns_find(r->columns, *names, length, column, &why))
		return err_set(err, ERR_USAGE, "%s: %s", option, why.msg);
	*names = (*names)[length] ? *names + length + 1 : NULL;
	return 0;
}

int query_rows_choose(struct query_rows *r, const char *names, struct err *err)
{
	bool is_all = names && !strcmp(names, "all");
	uint32_t column = 0;

	for (uint32_t i = 0; (!names || is_all) && i < r->columns->count; i++)
		if (is_all || r->columns->list[i].is_shown)
			show(r, i);
	while (names && !is_all) {
		int ret = take_name(r, "--columns", &names, &column, err);

		if (ret)
			return ret;
		show(r, column);
	}
	return 0;
}

int query_rows_sort(struct query_rows *r, const char *names, struct err *err)
{
	while (names) {
		struct query_key key = { .is_descending = *names == '-' };
		int ret;

		if (r->key_count == QUERY_KEYS_LIMIT)
			return err_set(err, ERR_USAGE, "--sort: more than %d columns",
			               QUERY_KEYS_LIMIT);
		names += key.is_descending;
		ret = take_name(r, "--sort", &names, &key.column, err);
		if (ret)
			return ret;
		r->keys[r->key_count++] = key;
	}
	return 0;
}

bool query_rows_are_played(const struct query_rows *r)
{
	for (uint32_t i = 0; i < r->columns->count; i++)
		if (r->columns->list[i].is_played && query_expr_uses(r->expr, i))
			return true;
	for (uint32_t i = 0; i < r->writer->count; i++)
		if (r->columns->list[r->shown[i]].is_played)
			return true;
	for (uint32_t i = 0; i < r->key_count; i++)
		if (r->columns->list[r->keys[i].column].is_played)
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	const struct query_kept_row *x = a, *y = b;
	const struct query_rows *r = x->of;

	for (uint32_t i = 0; i < r->key_count; i++) {
		enum cell_type type = r->columns->list[r->keys[i].column].is.type;
		int order = query_value_compare(&x->cells[i], type, &y->cells[i], type);

		if (order)
			return r->keys[i].is_descending ? -order : order;
	}
	return x->number < y->number ? -1 : x->number > y->number;
}

static void free_cells(const struct query_rows *r, struct cell *cells)
{
	for (uint32_t i = 0; cells && i < r->key_count + r->writer->count; i++) {
		uint32_t column = i < r->key_count ? r->keys[i].column : r->shown[i - r->key_count];

		if (r->columns->list[column].is.type == CELL_PASSING && !cells[i].is_none)
			free(cells[i].owned);
	}
	free(cells);
}

/* Returns a copy of the cells of a row: keys, then the shown ones. NULL with ERR_NOMEM. */
static struct cell *copy_cells(const struct query_rows *r, const void *row, struct err *err)
{
	uint32_t count = r->key_count + r->writer->count;
	struct cell *cells = array_alloc(count, sizeof(*cells), "rows to sort", err);

	for (uint32_t i = 0; cells && i < count; i++) {
		uint32_t column = i < r->key_count ? r->keys[i].column : r->shown[i - r->key_count];
		struct cell cell = r->get(row, column);

		if (r->columns->list[column].is.type == CELL_PASSING && !cell.is_none)
			cell.owned = str_copy(cell.text, err);
		cells[i] = cell;
	}
	if (err->code) {
		free_cells(r, cells);
		return NULL;
	}
	return cells;
}

/* The heap's first row is the last of its order: the next one to go. */
static void sift_down(struct query_kept_row *rows, size_t count, size_t at)
{
	for (;;) {
		size_t last = at;
		struct query_kept_row row;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
			if (compare(&rows[child], &rows[last]) > 0)
				last = child;
		if (last == at)
			return;
		row = rows[at];
		rows[at] = rows[last];
		rows[last] = row;
		at = last;
	}
}

static void sift_up(struct query_kept_row *rows, size_t at)
{
	while (at && compare(&rows[at], &rows[(at - 1) / 2]) > 0) {
		struct query_kept_row row = rows[at];

		rows[at] = rows[(at - 1) / 2];
		rows[(at - 1) / 2] = row;
		at = (at - 1) / 2;
	}
}

/* Whether a row comes after all kept ones, and no more can be kept. */
static bool is_too_late(const struct query_rows *r, const void *row)
{
	struct cell keys[QUERY_KEYS_LIMIT];
	const struct query_kept_row new = { .number = r->wanted, .of = r, .cells = keys };

	if (!r->top || r->kept.count < r->top)
		return false;
	for (uint32_t i = 0; i < r->key_count; i++)
		keys[i] = r->get(row, r->keys[i].column);
	return compare(&new, r->kept.data) >= 0;
}

static int keep(struct query_rows *r, const void *row, struct err *err)
{
	struct query_kept_row new = { .number = r->wanted, .of = r }, *rows = r->kept.data;

	if (is_too_late(r, row))
		return 0;
	new.cells = copy_cells(r, row, err);
	if (!new.cells)
		return err->code;
	if (r->top && r->kept.count == r->top) {
		/* it replaces the last one */
		free_cells(r, rows[0].cells);
		rows[0] = new;
		sift_down(rows, r->kept.count, 0);
		return 0;
	}
	if (r->kept.count >= QUERY_KEPT_CELLS / (1 + r->key_count + r->writer->count) ||
	    !array_push(&r->kept, 1, err)) {
		free_cells(r, new.cells);
		return err_set(err, ERR_LIMIT,
		               "--sort: more than %zu rows to sort; --top N keeps the first N of "
		               "any number",
		               r->kept.count);
	}
	rows = r->kept.data;
	rows[r->kept.count - 1] = new;
	if (r->top)
		sift_up(rows, r->kept.count - 1);
	return 0;
}

/* The callbacks of table_reader. */
static bool may_want(void *context, const void *row, enum table_level level)
{
	const struct query_rows *r = context;

	return query_expr_test(r->expr, r->get, row, level) != QUERY_NO;
}

static bool has_enough(void *context)
{
	const struct query_rows *r = context;

	return !r->key_count && r->top && r->wanted == r->top;
}

static int take(void *context, const void *row, struct err *err)
{
	struct query_rows *r = context;
	struct cell cells[CELL_TABLE_COLUMNS];

	if (has_enough(r) || query_expr_test(r->expr, r->get, row, TABLE_ROW) != QUERY_YES)
		return 0;
	r->wanted++;
	if (r->key_count)
		return keep(r, row, err);
	for (uint32_t i = 0; i < r->writer->count; i++)
		cells[i] = r->get(row, r->shown[i]);
	return r->writer->format->row(r->writer, cells, err);
}

struct table_reader query_rows_reader(struct query_rows *r)
{
	return (struct table_reader){ r, may_want, take, has_enough };
}

int query_rows_end(struct query_rows *r, struct err *err)
{
	struct query_kept_row *rows = r->kept.data;
	int ret = 0;

	if (r->kept.count)
		qsort(rows, r->kept.count, sizeof(*rows), compare);
	for (size_t i = 0; !ret && i < r->kept.count; i++)
		ret = r->writer->format->row(r->writer, rows[i].cells + r->key_count, err);
	return ret ? ret : r->writer->format->end(r->writer, err);
}

void query_rows_release(struct query_rows *r)
{
	struct query_kept_row *rows = r->kept.data;

	for (size_t i = 0; i < r->kept.count; i++)
		free_cells(r, rows[i].cells);
	array_release(&r->kept);
}
