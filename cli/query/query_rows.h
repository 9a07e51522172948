/*
 * query_rows - the wanted rows of a table, in the wanted order, on their way to a writer.
 *
 * Without an order rows pass through one by one. With one their cells are kept: those of all rows,
 * up to QUERY_KEPT_CELLS cells, or with --top those of the first N rows.
 */
#ifndef QUERY_ROWS_H
#define QUERY_ROWS_H

#include "array.h"
#include "cell_table.h"
#include "query_expr.h"

struct err;

enum { QUERY_KEYS_LIMIT = 8, QUERY_KEPT_CELLS = 1 << 24 };

struct query_key {
	uint32_t column;
	bool is_descending;
};

struct query_rows {
	/* Set by the caller, all borrowed. */
	const struct table_columns *columns;
	table_get get;
	const struct query_expr *expr;
	struct cell_table *writer;
	uint64_t top; /* rows at most; 0: all */
	/* What was chosen. */
	uint32_t shown[CELL_TABLE_COLUMNS]; /* writer->count columns */
	struct query_key keys[QUERY_KEYS_LIMIT];
	uint32_t key_count;
	/* What was found. */
	uint64_t wanted;   /* rows that the expression accepted */
	struct array kept; /* struct query_kept_row; with --top a heap, the last one first */
};

/* Keep nothing yet. The caller has set the first members. Release in every case. */
void query_rows_init(struct query_rows *r);

/* Take "a,b,c"; NULL: the columns shown by default; "all": all. Returns 0, or ERR_USAGE with
 * --columns in front. */
int query_rows_choose(struct query_rows *r, const char *names, struct err *err);

/* Take "-misses,line", or NULL. Returns 0, or ERR_USAGE with --sort in front. */
int query_rows_sort(struct query_rows *r, const char *names, struct err *err);

/* Whether the rows' columns, order or choice need a replay. */
bool query_rows_are_played(const struct query_rows *r);

/* What takes a table's rows. Its take() returns 0, ERR_NOMEM, ERR_LIMIT (too many to sort) or what
 * the writer returns. */
struct table_reader query_rows_reader(struct query_rows *r);

/* After all rows: write those that were kept. Returns as the reader's take(). */
int query_rows_end(struct query_rows *r, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void query_rows_release(struct query_rows *r);

#endif
