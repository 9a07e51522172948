/*
 * query_expr - which rows of a table are wanted: `kernel=~mm && line==9`.
 *
 *   any      = all { "||" all }
 *   all      = term { "&&" term }
 *   term     = "!" term | "(" any ")" | COLUMN op VALUE
 *   op       = "==" "!=" "<" "<=" ">" ">=" "=~" "!~"
 *
 * A bare word ends at the next blank, quote, parenthesis or one of & | = ! < >. In quotes, single
 * or double, a backslash escapes the quote and a backslash; before any other letter it is itself.
 *
 * A column of numbers is compared with a number (query_value_parse()) or another column of numbers;
 * a column of strings with a string, in quotes or bare. =~ and !~ search a string for a POSIX
 * extended regular expression (query_regex.h). An empty cell equals, precedes, follows and matches
 * nothing: != and !~, the opposites of == and =~, are then true, all others false.
 */
#ifndef QUERY_EXPR_H
#define QUERY_EXPR_H

#include "query_value.h"
#include "tables.h"

struct err;
struct query_expr;

enum {
	QUERY_EXPR_BYTES = 4096, /* of an expression, at most */
	QUERY_EXPR_DEPTH = 64,   /* nested parentheses and ! */
};

enum query_truth { QUERY_NO, QUERY_YES, QUERY_UNKNOWN };

/* Where a text is wrong. */
struct query_fault {
	size_t at, length;
};

/*
 * Read `text`; NULL is true of all rows. `columns` is borrowed. Returns 0, ERR_USAGE with *fault
 * set, or ERR_NOMEM. Free with query_expr_free().
 */
int query_expr_create(struct query_expr **out, const char *text,
                      const struct table_columns *columns, struct query_fault *fault,
                      struct err *err);

/* Free. NULL is allowed. */
void query_expr_free(struct query_expr *e);

/* Whether a row is wanted, by the cells known at `level`. Never QUERY_UNKNOWN at TABLE_ROW. */
enum query_truth query_expr_test(const struct query_expr *e, table_get get, const void *row,
                                 enum table_level level);

/* Whether the answer can depend on a column. */
bool query_expr_uses(const struct query_expr *e, uint32_t column);

/* Find the column with the name name[0..length-1]. Returns 0, or ERR_USAGE with a suggestion. */
int query_columns_find(const struct table_columns *columns, const char *name, size_t length,
                       uint32_t *out, struct err *err);

#endif
