/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of query: what is read can be asked of any row, a doubly negated one says the same,
 * and what is refused has a reason and a place within the text. */
#include "fuzz.h"

#include "err.h"
#include "query_expr.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5 };

static const struct table_column list[COLUMNS] = {
	{ { "launch", "", "", CELL_NUMBER }, TABLE_LAUNCH, true, false },
	{ { "kernel", "", "", CELL_TEXT }, TABLE_LAUNCH, true, false },
	{ { "line", "", "", CELL_NUMBER }, TABLE_SITE, true, false },
	{ { "rate", "", "", CELL_REAL }, TABLE_ROW, true, false },
	{ { "loops", "", "", CELL_PASSING }, TABLE_ROW, true, false },
};
static const struct table_columns columns = { "rows", list, COLUMNS };

static struct cell get(const void *row, uint32_t column)
{
	return ((const struct cell *)row)[column];
}

static const struct cell rows[][COLUMNS] = {
	{ { .number = 9 }, { .text = "mm" }, { .number = 0 }, { .real = 0.5 }, { .text = "0:1" } },
	{ { .number = UINT64_MAX },
	  { .text = "" },
	  { .is_none = true },
	  { .real = 0 },
	  { .is_none = true } },
};

/* !(TEXT), as long as that may be read. */
static void negate(const char *text, const struct query_expr *e)
{
	struct query_expr *not = NULL;
	struct query_fault fault;
	struct str around;

	str_init(&around, (size_t)2 * QUERY_EXPR_BYTES);
	fuzz_assert(!str_printf(&around, NULL, "!(%s)", text), "there is room");
	if (!query_expr_create(&not, around.text, &columns, &fault, NULL))
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			fuzz_assert(query_expr_test(not, get, rows[i], TABLE_ROW) !=
			                    query_expr_test(e, get, rows[i], TABLE_ROW),
			            "the contrary says the contrary");
	query_expr_free(not);
	str_release(&around);
}

static void ask(const char *text, const struct query_expr *e)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum query_truth full = query_expr_test(e, get, rows[i], TABLE_ROW);

		fuzz_assert(full != QUERY_UNKNOWN, "a row is wanted or not");
		for (int level = TABLE_LAUNCH; level < TABLE_ROW; level++) {
			enum query_truth early =
				query_expr_test(e, get, rows[i], (enum table_level)level);

			fuzz_assert(early == QUERY_UNKNOWN || early == full,
			            "what is known early stays");
		}
	}
	if (text[strspn(text, " \t\r\n")])
		negate(text, e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct query_fault fault;
	struct query_expr *e = NULL;
	struct err err = { 0 };

	if (query_expr_create(&e, text, &columns, &fault, &err)) {
		fuzz_assert(err.code == ERR_USAGE && err.msg[0], "what is refused has a reason");
		fuzz_assert(fault.at + fault.length <= strlen(text), "the place is in the text");
	} else {
		ask(text, e);
	}
	query_expr_free(e);
	free(text);
	return 0;
}
