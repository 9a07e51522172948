/*
 * query_rows - the rows of a table that are wanted, in the order that is wanted, on their way to a
 * writer.
 *
 * Without an order they pass through one by one. With one their cells are kept: of all rows, up to
 * QUERY_KEPT_CELLS cells, or with --top only of the first so many.
 */
#ifndef QUERY_ROWS_H
#define QUERY_ROWS_H

#include "array.h"
#include "query_expr.h"
#include "table.h"

struct err;

enum { QUERY_KEYS_LIMIT = 8, QUERY_KEPT_CELLS = 1 << 24 };

struct query_key {
	uint32_t column;
	bool is_descending;
};

struct query_rows {
	const struct query_columns *columns; /* all borrowed */
	query_get get;
	const struct query_expr *expr;
	struct table *writer;
	uint32_t shown[TABLE_COLUMNS_LIMIT]; /* writer->count columns */
	struct query_key keys[QUERY_KEYS_LIMIT];
	uint32_t key_count;
	uint64_t top;      /* rows at most; 0: all */
	uint64_t wanted;   /* rows that the expression took */
	struct array kept; /* struct query_kept_row; with --top a heap, the last one first */
};

/* Keep nothing yet; what is borrowed has been set. Release in every case. */
void query_rows_init(struct query_rows *r);

/* Take "a,b,c", NULL: the columns shown by default, "all": all. Returns 0 or ERR_USAGE with
 * --columns in front. */
int query_rows_choose(struct query_rows *r, const char *names, struct err *err);

/* Add a column behind those chosen, if it is not there. */
void query_rows_show(struct query_rows *r, uint32_t column);

/* Take "-misses,line", or NULL. Returns 0 or ERR_USAGE with --sort in front. */
int query_rows_sort(struct query_rows *r, const char *names, struct err *err);

/* Whether the rows' columns, order or choice need a replay. */
bool query_rows_are_played(const struct query_rows *r);

/* A row. Returns 0, ERR_NOMEM, ERR_LIMIT (too many to sort) or what the writer returns. */
int query_rows_offer(struct query_rows *r, const void *row, struct err *err);

/* Whether no further row can change anything. */
bool query_rows_have_enough(const struct query_rows *r);

/* All rows were offered: write those that were kept. */
int query_rows_end(struct query_rows *r, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void query_rows_release(struct query_rows *r);

#endif
