/*
 * query_writer - writes rows of cells: as text for people, CSV, NDJSON or a timeline.
 *
 * Nothing is gathered but the first rows of a text, by which its columns become as wide as they
 * must be. CSV is quoted as RFC 4180 has it, with lines that end with a newline alone; a cell
 * without a value is empty, null in NDJSON and - in text. Bytes that are no UTF-8 become U+FFFD in
 * NDJSON; control characters show as \xNN in text.
 */
#ifndef QUERY_WRITER_H
#define QUERY_WRITER_H

#include "query_expr.h"
#include "str.h"

#include <stdio.h>

struct err;

enum { QUERY_SHOWN_LIMIT = 64, QUERY_TEXT_ROWS = 256 };

struct query_writer {
	FILE *out; /* borrowed; who writes need not look for its errors */
	const struct query_column *shown[QUERY_SHOWN_LIMIT];
	uint32_t count; /* of shown */
	const struct query_format *format;
	/* Of text: */
	char **held;   /* QUERY_TEXT_ROWS * count cells; NULL behind the first rows */
	uint32_t rows; /* held */
	size_t width[QUERY_SHOWN_LIMIT];
	void *context; /* of other formats */
};

struct query_format {
	const char *name;
	/* Each returns 0 or a negative ERR_*; begin may be NULL. */
	int (*begin)(struct query_writer *w, struct err *err);
	int (*row)(struct query_writer *w, const struct query_value *cells, struct err *err);
	int (*end)(struct query_writer *w, struct err *err);
};

extern const struct query_format query_as_text, query_as_csv, query_as_json;

/* Free what it holds. Accepts a zeroed struct. */
void query_writer_release(struct query_writer *w);

/* A cell as JSON. */
void query_write_json_cell(FILE *out, const struct query_column *column,
                           const struct query_value *cell);

#endif
