/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: random ones against what they say of a row, and what is wrong with wrong ones. */
#include "cmocka_all.h"
#include "err.h"
#include "query_expr.h"
#include "random.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

enum { N, M, A, R, T, U, COLUMNS };

static const struct table_column list[COLUMNS] = {
	[N] = { { "n", "", "", CELL_NUMBER }, TABLE_LAUNCH, false, false },
	[M] = { { "misses", "", "", CELL_NUMBER }, TABLE_SITE, false, false },
	[A] = { { "address", "", "", CELL_ADDRESS }, TABLE_ROW, false, false },
	[R] = { { "rate", "", "", CELL_REAL }, TABLE_ROW, false, false },
	[T] = { { "kernel", "", "", CELL_TEXT }, TABLE_LAUNCH, false, false },
	[U] = { { "file", "", "", CELL_PASSING }, TABLE_SITE, false, false },
};
static const struct table_columns columns = { "rows", list, COLUMNS };

static struct cell get(const void *row, uint32_t column)
{
	return ((const struct cell *)row)[column];
}

/* Numbers as they may be written. */
static const struct {
	const char *text;
	double value;
} numbers[] = { { "0", 0 },      { "1", 1 },     { "0x10", 16 }, { "16", 16 },    { "1k", 1000 },
	        { "1Ki", 1024 }, { "0.5", 0.5 }, { "50%", 0.5 }, { "1.0k", 1000 } };
static const double row_numbers[] = { 0, 1, 16, 1000, 1024 };
static const double row_reals[] = { 0, 0.5, 1, 15.5, 1000 };
static const char *const texts[] = { "", "mm", "mmx", "bfs", "a b", "a\"b", "x&&y", "it's" };
/* Texts as they may be written: bare where that can be. */
static const char *const spellings[] = { "\"\"",    "mm",     "'mmx'",    "bfs",
	                                 "\"a b\"", "'a\"b'", "\"x&&y\"", "\"it's\"" };
enum { NUMBERS = 9, ROW_NUMBERS = 5, TEXTS = 8 };

/* An expression being made, and the row that it is true or false of. */
struct maker {
	struct random random;
	struct cell row[COLUMNS];
	struct str text;
};

static void put(struct maker *m, const char *text)
{
	static const char *const blanks[] = { "", "", " ", "\t ", "\n" };
	struct err err = { 0 };

	assert_int_equal(
		str_printf(&m->text, &err, "%s%s", blanks[random_below(&m->random, 5)], text), 0);
}

/* What an operator says of an order; nothing is apart from everything. */
static bool holds(const char *op, int order, bool is_none)
{
	if (!strcmp(op, "!="))
		return is_none || order != 0;
	if (is_none)
		return false;
	if (!strcmp(op, "=="))
		return order == 0;
	if (op[0] == '<')
		return op[1] ? order <= 0 : order < 0;
	return op[1] ? order >= 0 : order > 0;
}

static const char *put_operator(struct maker *m)
{
	static const char *const operators[] = { "==", "!=", "<", "<=", ">", ">=" };
	const char *op = operators[random_below(&m->random, 6)];

	put(m, op);
	return op;
}

static double number_of(const struct maker *m, uint32_t column)
{
	return column == R ? m->row[column].real : (double)m->row[column].number;
}

static bool put_number(struct maker *m, uint32_t column)
{
	uint32_t i = random_below(&m->random, NUMBERS), other = random_below(&m->random, T);
	bool is_none = m->row[column].is_none;
	double a = number_of(m, column), b = numbers[i].value;
	const char *op;

	put(m, list[column].is.name);
	op = put_operator(m);
	if (random_below(&m->random, 4)) {
		put(m, numbers[i].text);
	} else {
		put(m, list[other].is.name);
		b = number_of(m, other);
		is_none |= m->row[other].is_none;
	}
	return holds(op, a < b ? -1 : a > b, is_none);
}

/* Whether a pattern is found in a text. */
static const char *const patterns[] = { "^mm", "m", "x$", "'(mm|bfs)'", "\"a.b\"", "^$" };

static bool is_found(uint32_t pattern, const char *cell)
{
	size_t length = strlen(cell);

	switch (pattern) {
	case 0:
		return !strncmp(cell, "mm", 2);
	case 1:
		return strchr(cell, 'm') != NULL;
	case 2:
		return length && cell[length - 1] == 'x';
	case 3:
		return strstr(cell, "mm") || strstr(cell, "bfs");
	case 4:
		return length == 3 && cell[0] == 'a' && cell[2] == 'b';
	default:
		return !length;
	}
}

static bool put_pattern(struct maker *m, const char *cell)
{
	uint32_t i = random_below(&m->random, 6);
	bool is_not = random_below(&m->random, 2);

	put(m, is_not ? "!~" : "=~");
	put(m, patterns[i]);
	return (cell && is_found(i, cell)) != is_not;
}

static bool put_text(struct maker *m, uint32_t column)
{
	uint32_t i = random_below(&m->random, TEXTS);
	const char *cell = m->row[column].is_none ? NULL : m->row[column].text, *op;

	put(m, list[column].is.name);
	if (random_below(&m->random, 2))
		return put_pattern(m, cell);
	op = put_operator(m);
	put(m, spellings[i]);
	return holds(op, cell ? strcmp(cell, texts[i]) : 0, !cell);
}

static bool put_any(struct maker *m, uint32_t depth);

static bool put_term(struct maker *m, uint32_t depth)
{
	uint32_t column = random_below(&m->random, COLUMNS), what = random_below(&m->random, 6);
	bool is_true;

	if (depth && what == 0) {
		put(m, "!");
		return !put_term(m, depth - 1);
	}
	if (depth && what < 3) {
		put(m, "(");
		is_true = put_any(m, depth - 1);
		put(m, ")");
		return is_true;
	}
	return column < T ? put_number(m, column) : put_text(m, column);
}

static bool put_all(struct maker *m, uint32_t depth)
{
	bool is_true = put_term(m, depth);

	while (!random_below(&m->random, 3)) {
		put(m, "&&");
		is_true &= put_term(m, depth);
	}
	return is_true;
}

static bool put_any(struct maker *m, uint32_t depth)
{
	bool is_true = put_all(m, depth);

	while (!random_below(&m->random, 3)) {
		put(m, "||");
		is_true |= put_all(m, depth);
	}
	return is_true;
}

static void make_row(struct maker *m)
{
	struct random *r = &m->random;

	for (uint32_t i = 0; i < COLUMNS; i++) {
		if (i < R)
			m->row[i] =
				cell_number((uint64_t)row_numbers[random_below(r, ROW_NUMBERS)]);
		else if (i == R)
			m->row[i] = cell_real(row_reals[random_below(r, 5)]);
		else
			m->row[i] = cell_text(texts[random_below(r, TEXTS)]);
		m->row[i].is_none = !random_below(r, 6);
	}
}

enum { SEED = 20261121 };

static void check_truth(struct maker *m, bool is_true)
{
	struct query_expr *e = NULL;
	struct query_fault fault;
	struct err err = { 0 };
	enum query_truth full;

	if (query_expr_create(&e, m->text.text, &columns, &fault, &err))
		fail_msg("seed %d: %s: %s", SEED, m->text.text, err.msg);
	full = query_expr_test(e, get, m->row, TABLE_ROW);
	if (full != (is_true ? QUERY_YES : QUERY_NO))
		fail_msg("seed %d: %s", SEED, m->text.text);
	/* What is known early stays. */
	for (int level = TABLE_LAUNCH; level < TABLE_ROW; level++) {
		enum query_truth early = query_expr_test(e, get, m->row, (enum table_level)level);

		if (early != QUERY_UNKNOWN && early != full)
			fail_msg("seed %d, level %d: %s", SEED, level, m->text.text);
	}
	query_expr_free(e);
}

static void random_expressions_are_as_true_as_they_say(void **state)
{
	struct maker m = { .random = { SEED } };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		bool is_true;

		str_init(&m.text, (size_t)QUERY_EXPR_BYTES * 4);
		make_row(&m);
		is_true = put_any(&m, 4);
		if (m.text.length <= QUERY_EXPR_BYTES)
			check_truth(&m, is_true);
		str_release(&m.text);
	}
}

static void launches_are_ruled_out_by_what_is_known_of_them(void **state)
{
	static const struct {
		const char *text;
		enum query_truth launch, site;
	} rows[] = {
		{ "n==1", QUERY_YES, QUERY_YES },
		{ "n==2 && address==1", QUERY_NO, QUERY_NO },
		{ "address==1 && n==2", QUERY_NO, QUERY_NO },
		{ "n==1 || address==1", QUERY_YES, QUERY_YES },
		{ "address==1 || n==2", QUERY_UNKNOWN, QUERY_UNKNOWN },
		{ "misses==4 && n==1", QUERY_UNKNOWN, QUERY_NO },
		{ "!(misses==4)", QUERY_UNKNOWN, QUERY_YES },
		{ "n<misses", QUERY_UNKNOWN, QUERY_YES },
		{ "", QUERY_YES, QUERY_YES },
	};
	const struct cell row[COLUMNS] = { [N] = { .number = 1 }, [M] = { .number = 3 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct query_expr *e;
		struct query_fault fault;

		assert_int_equal(query_expr_create(&e, rows[i].text, &columns, &fault, NULL), 0);
		assert_int_equal(query_expr_test(e, get, row, TABLE_LAUNCH), rows[i].launch);
		assert_int_equal(query_expr_test(e, get, row, TABLE_SITE), rows[i].site);
		query_expr_free(e);
	}
}

static void what_is_wrong_is_pointed_at(void **state)
{
	static const struct {
		const char *text;
		size_t at, length;
		const char *message;
	} rows[] = {
		{ "kernle=~mm && n==9", 0, 6, "is 'kernel' meant" },
		{ "n==9 && zebra==1", 8, 5, "no column 'zebra'" },
		{ "n=9", 1, 1, "not a single =" },
		{ "n==9 & n==1", 5, 1, "expected &&" },
		{ "kernel=~mm|x", 10, 1, "in quotes" },
		{ "n==9k9", 3, 3, "not a number" },
		{ "n==18446744073709551616", 3, 20, "not a number" },
		{ "n==foo", 3, 3, "neither a number nor a column" },
		{ "n==file", 3, 4, "'file' is a string" },
		{ "n=~9", 3, 1, "'n' is a number" },
		{ "kernel=~'a(b'", 8, 5, "regular expression" },
		{ "kernel=~'\\1'", 8, 4, "back references" },
		{ "kernel=~'(a{100}){101}'", 8, 15, "{counts}" },
		{ "kernel=~a++++++++++++++", 8, 15, "repeats a repetition" },
		{ "kernel=~a{2}?", 8, 5, "repeats a repetition" },
		{ "kernel=~'^a*b?*'", 8, 8, "repeats a repetition" },
		{ "kernel=~'(((((((a{9})+)+)+)+)+){99})'", 8, 29, "{counts}" },
		{ "kernel=~'([)]a){5000}'", 8, 14, "{counts}" },
		{ "kernel=~'([[:alpha:])]a){5000}'", 8, 23, "{counts}" },
		{ "kernel=~a{2000,}", 8, 8, "{counts}" },
		{ "(n==1", 5, 0, "at the end" },
		{ "n==1)", 4, 1, "expected && or ||" },
		{ "n==1 n==2", 5, 1, "expected && or ||" },
		{ "n==", 3, 0, "a number at the end" },
		{ "kernel==&&", 8, 2, "a string, not &&" },
		{ "n", 1, 0, "after a column" },
		{ "==1", 0, 2, "a column" },
		{ "!", 1, 0, "a column" },
		{ "()", 1, 1, "a column" },
		{ "kernel=='a", 8, 2, "does not end" },
		{ "n==1 ||", 7, 0, "a column" },
		{ "kernel==\"a\\\"", 8, 4, "does not end" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct query_expr *e;
		struct query_fault fault;
		struct err err = { 0 };

		if (query_expr_create(&e, rows[i].text, &columns, &fault, &err) != ERR_USAGE)
			fail_msg("%s was read", rows[i].text);
		assert_null(e);
		if (!strstr(err.msg, rows[i].message) || fault.at != rows[i].at ||
		    fault.length != rows[i].length)
			fail_msg("%s: at %zu, %zu long: %s", rows[i].text, fault.at, fault.length,
			         err.msg);
	}
}

/* `count` times `part`, then `end`. */
static int read_repeated(const char *part, size_t count, const char *end)
{
	struct query_expr *e = NULL;
	struct query_fault fault;
	struct str text;
	struct err err = { 0 };
	int ret;

	str_init(&text, 1 << 20);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(str_append(&text, part, strlen(part), &err), 0);
	assert_int_equal(str_append(&text, end, strlen(end), &err), 0);
	ret = query_expr_create(&e, text.text, &columns, &fault, &err);
	query_expr_free(e);
	str_release(&text);
	return ret;
}

static void limits_are_where_they_are_said_to_be(void **state)
{
	(void)state;
	assert_int_equal(read_repeated("!", QUERY_EXPR_DEPTH, "n==1"), 0);
	assert_int_equal(read_repeated("!", QUERY_EXPR_DEPTH + 1, "n==1"), ERR_USAGE);
	assert_int_equal(read_repeated("(", QUERY_EXPR_DEPTH + 1, "n==1"), ERR_USAGE);
	assert_int_equal(read_repeated(" ", QUERY_EXPR_BYTES - 4, "n==1"), 0);
	assert_int_equal(read_repeated(" ", QUERY_EXPR_BYTES - 3, "n==1"), ERR_USAGE);
	/* A chain is as long as there is room: 6 bytes each. */
	assert_int_equal(read_repeated("n==1||", (QUERY_EXPR_BYTES - 4) / 6, "n==1"), 0);
	assert_int_equal(read_repeated("kernel=~", 1, "a{1999}"), 0);
	assert_int_equal(read_repeated("kernel=~", 1, "a{2001}"), ERR_USAGE);
	/* What stands beside one another adds up: 60 letters twice. */
	assert_int_equal(read_repeated("kernel=~", 1, "a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+"),
	                 0);
	assert_int_equal(read_repeated("kernel=~", 1, "'(a?)?[*]*\\**b{2}c?'"), 0);
	assert_int_equal(read_repeated("kernel=~", 1, "[+][+][+][{9}][{9}][{9}][{9}][{9}]"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_expressions_are_as_true_as_they_say),
		cmocka_unit_test(launches_are_ruled_out_by_what_is_known_of_them),
		cmocka_unit_test(what_is_wrong_is_pointed_at),
		cmocka_unit_test(limits_are_where_they_are_said_to_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
