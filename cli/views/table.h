/*
 * table - writes rows of cells: as text for people, CSV, NDJSON or a timeline.
 *
 * Rows are written as they come; only the first rows of a text are held, for the widths of its
 * columns. CSV is that of text_write_csv(), its lines end with a newline; NDJSON that of
 * text_write_json(). A cell without a value is empty, null in NDJSON and - in text; control
 * characters show as \xNN in text.
 */
#ifndef TABLE_H
#define TABLE_H

#include "cell.h"
#include "str.h"

#include <stdio.h>

struct err;

enum { TABLE_COLUMNS_LIMIT = 64, TABLE_TEXT_ROWS = 256 };

struct table {
	FILE *out; /* borrowed; callers need not check for write errors */
	const struct cell_column *shown[TABLE_COLUMNS_LIMIT];
	uint32_t count; /* of shown */
	const struct table_format *format;
	/* Of text: */
	char **held;   /* TABLE_TEXT_ROWS * count cells; NULL after the first rows */
	uint32_t rows; /* held */
	size_t width[TABLE_COLUMNS_LIMIT];
	void *context; /* of other formats */
};

struct table_format {
	const char *name;
	/* Each returns 0 or a negative ERR_*; begin may be NULL. */
	int (*begin)(struct table *t, struct err *err);
	int (*row)(struct table *t, const struct cell *cells, struct err *err);
	int (*end)(struct table *t, struct err *err);
};

extern const struct table_format table_as_text, table_as_csv, table_as_json;

/* Free what it holds. Accepts a zeroed struct. */
void table_release(struct table *t);

/* A cell as JSON. */
void table_write_json_cell(FILE *out, const struct cell_column *column, const struct cell *cell);

#endif
