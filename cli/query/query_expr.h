/*
 * query_expr - which rows of a table are wanted: `kernel=~mm && line==9`.
 *
 *   any      = all { "||" all }
 *   all      = term { "&&" term }
 *   term     = "!" term | "(" any ")" | COLUMN op VALUE
 *   op       = "==" "!=" "<" "<=" ">" ">=" "=~" "!~"
 *
 * A column of numbers is compared with a number (query_value_parse()) or another column of numbers;
 * a column of texts with a text, in quotes or bare. =~ and !~ seek a POSIX extended regular
 * expression (query_regex.h) in a text. Nothing in a cell equals, precedes, follows and
 * matches nothing: != and !~, the contraries of == and =~, are then true, the others false.
 */
#ifndef QUERY_EXPR_H
#define QUERY_EXPR_H

#include "query_value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct query_expr;

enum {
	QUERY_EXPR_BYTES = 4096, /* of an expression, at most; */
	QUERY_EXPR_DEPTH = 64,   /* parentheses and ! in one another */
};

/* When a cell of a row is known: the launch, the site in it, or the row itself. */
enum query_level { QUERY_LAUNCH, QUERY_SITE, QUERY_ROW };

struct query_column {
	struct cell_column is;
	enum query_level level;
	bool is_shown;  /* unless others are asked for */
	bool is_played; /* only a replay knows it */
};

/* The columns of a table, for messages with its name. */
struct query_columns {
	const char *table;
	const struct query_column *list;
	uint32_t count;
};

/* The cell of a row. */
typedef struct cell (*query_get)(const void *row, uint32_t column);

enum query_truth { QUERY_NO, QUERY_YES, QUERY_UNKNOWN };

/* Where in a text something is wrong. */
struct query_fault {
	size_t at, length;
};

/*
 * Read `text`, NULL for one that is true of all rows. `columns` is borrowed. Returns 0, ERR_USAGE
 * with *fault set, ERR_NOMEM. Free with query_expr_free().
 */
int query_expr_create(struct query_expr **out, const char *text,
                      const struct query_columns *columns, struct query_fault *fault,
                      struct err *err);

/* Free. NULL is allowed. */
void query_expr_free(struct query_expr *e);

/* Whether a row is wanted, by the cells known at `level`; QUERY_UNKNOWN never at QUERY_ROW. */
enum query_truth query_expr_test(const struct query_expr *e, query_get get, const void *row,
                                 enum query_level level);

/* Whether the answer can depend on a column. */
bool query_expr_uses(const struct query_expr *e, uint32_t column);

/* The column of that name, name[0..length-1], or ERR_USAGE: "there is no column ... is ... meant?"
 */
int query_columns_find(const struct query_columns *columns, const char *name, size_t length,
                       uint32_t *out, struct err *err);

#endif
