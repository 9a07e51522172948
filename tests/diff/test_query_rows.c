/* SPDX-License-Identifier: Apache-2.0 */
/* Rows in an order: random ones against a naive selection of the least. */
#include "cmocka_all.h"
#include "err.h"
#include "query_rows.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID, KEY, RATE, WORD, COLUMNS, ROWS = 60 };

static const struct table_column list[COLUMNS] = {
	[ID] = { { "id", "", "", CELL_NUMBER }, TABLE_ROW, true, false },
	[KEY] = { { "key", "", "", CELL_NUMBER }, TABLE_ROW, true, false },
	[RATE] = { { "rate", "", "", CELL_REAL }, TABLE_ROW, false, false },
	[WORD] = { { "word", "", "", CELL_PASSING }, TABLE_ROW, true, false },
};
static const struct table_columns columns = { "rows", list, COLUMNS };

struct row {
	struct cell cells[COLUMNS];
};

/* Of one row at a time, as text that passes must be copied. */
static char passing[16];

static struct cell get(const void *row, uint32_t column)
{
	struct cell value = ((const struct row *)row)->cells[column];

	if (column != WORD || value.is_none)
		return value;
	snprintf(passing, sizeof(passing), "%s", value.text);
	return cell_text(passing);
}

/* What was written: the ids of the rows, and whether their words are still theirs. */
struct written {
	const struct row *rows;
	uint64_t ids[ROWS];
	size_t count;
};

static int take(struct cell_table *w, const struct cell *cells, struct err *err)
{
	struct written *out = w->context;
	const struct cell *word;

	(void)err;
	out->ids[out->count++] = cells[0].number;
	word = &out->rows[cells[0].number].cells[WORD];
	assert_int_equal(cells[2].is_none, word->is_none);
	if (!word->is_none)
		assert_string_equal(cells[2].text, word->text);
	return 0;
}

static int end(struct cell_table *w, struct err *err)
{
	(void)w;
	(void)err;
	return 0;
}

static const struct cell_table_format taking = { "taking", NULL, take, end };

static int order_of_cells(int column, const struct cell *a, const struct cell *b)
{
	if (a->is_none || b->is_none)
		return a->is_none == b->is_none ? 0 : a->is_none ? -1 : 1;
	if (column == WORD)
		return strcmp(a->text, b->text);
	if (column == RATE)
		return a->real < b->real ? -1 : a->real > b->real;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* < 0: x comes before y by the keys of the test. */
static int naive_order(const struct row *x, const struct row *y, const char *sort)
{
	static const char *const words[] = { "id", "key", "rate", "word" };
	bool is_down = *sort == '-';
	size_t length = strcspn(sort += is_down, ",");
	int order = 0;

	for (int c = 0; c < COLUMNS; c++)
		if (strlen(words[c]) == length && !strncmp(words[c], sort, length))
			order = order_of_cells(c, &x->cells[c], &y->cells[c]);
	if (order)
		return is_down ? -order : order;
	return sort[length] ? naive_order(x, y, sort + length + 1)
	                    : (x->cells[ID].number < y->cells[ID].number ? -1 : 1);
}

static void make_rows(struct random *r, struct row rows[ROWS])
{
	static const char *const words[] = { "a", "b", "ab", "", "longer word" };

	for (uint64_t i = 0; i < ROWS; i++) {
		rows[i].cells[ID] = cell_number(i);
		rows[i].cells[KEY] = cell_number(random_below(r, 5));
		rows[i].cells[RATE] = cell_real(random_below(r, 4) / 4.0);
		rows[i].cells[WORD] = cell_text(words[random_below(r, 5)]);
		for (int c = KEY; c < COLUMNS; c++)
			rows[i].cells[c].is_none = !random_below(r, 5);
	}
}

static void run(const struct row rows[ROWS], const char *sort, uint64_t top, struct written *out)
{
	struct cell_table writer = { .format = &taking, .context = out };
	struct query_rows kept = { .columns = &columns, .get = get, .writer = &writer, .top = top };
	const struct table_reader reader = query_rows_reader(&kept);
	struct query_expr *expr;
	struct query_fault fault;
	struct err err = { 0 };

	*out = (struct written){ .rows = rows };
	assert_int_equal(query_expr_create(&expr, NULL, &columns, &fault, &err), 0);
	kept.expr = expr;
	query_rows_init(&kept);
	assert_int_equal(query_rows_choose(&kept, NULL, &err), 0);
	assert_int_equal(query_rows_sort(&kept, sort, &err), 0);
	for (size_t i = 0; i < ROWS; i++)
		assert_int_equal(reader.take(&kept, &rows[i], &err), 0);
	assert_int_equal(query_rows_end(&kept, &err), 0);
	query_rows_release(&kept);
	query_expr_free(expr);
}

static void the_first_rows_are_those_of_a_naive_selection(void **state)
{
	static const char *const sorts[] = {
		"key",      "-key",     "rate,-key", "-word,rate",
		"-rate,id", "word,-id", "-id",       "key,word,-rate"
	};
	struct random r = { 99 };

	(void)state;
	for (int round = 0; round < 300; round++) {
		const char *sort = sorts[random_below(&r, 8)];
		uint64_t top = random_below(&r, ROWS + 10); /* 0: all */
		size_t count = top && top < ROWS ? (size_t)top : ROWS;
		bool is_taken[ROWS] = { false };
		struct row rows[ROWS];
		struct written out;

		make_rows(&r, rows);
		run(rows, sort, top, &out);
		assert_int_equal(out.count, count);
		for (size_t i = 0; i < count; i++) {
			size_t first = ROWS;

			for (size_t k = 0; k < ROWS; k++)
				if (!is_taken[k] && (first == ROWS ||
				                     naive_order(&rows[k], &rows[first], sort) < 0))
					first = k;
			is_taken[first] = true;
			if (out.ids[i] != first)
				fail_msg("seed 99, round %d, --sort %s --top %d: row %zu", round,
				         sort, (int)top, i);
		}
	}
}

static void without_an_order_the_first_rows_pass(void **state)
{
	struct random r = { 1 };
	struct row rows[ROWS];
	struct written out;

	(void)state;
	make_rows(&r, rows);
	run(rows, NULL, 7, &out);
	assert_int_equal(out.count, 7);
	for (uint64_t i = 0; i < 7; i++)
		assert_int_equal(out.ids[i], i);
	run(rows, NULL, 0, &out);
	assert_int_equal(out.count, ROWS);
}

static void names_that_are_none_are_refused(void **state)
{
	static const char *const rows[] = { "idd", "", "id,", "id,,key", "-", "a,b" };
	struct cell_table writer = { 0 };
	struct query_rows kept = { .columns = &columns, .get = get, .writer = &writer };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };

		assert_int_equal(query_rows_choose(&kept, rows[i], &err), ERR_USAGE);
		assert_ptr_equal(strstr(err.msg, "--columns: "), err.msg);
		err = (struct err){ 0 };
		assert_int_equal(query_rows_sort(&kept, rows[i], &err), ERR_USAGE);
		assert_ptr_equal(strstr(err.msg, "--sort: "), err.msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_rows_are_those_of_a_naive_selection),
		cmocka_unit_test(without_an_order_the_first_rows_pass),
		cmocka_unit_test(names_that_are_none_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
