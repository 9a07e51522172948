/*
 * diff_report - a diff as text for people, as JSON (docs/json.md) and as CSV.
 */
#ifndef DIFF_REPORT_H
#define DIFF_REPORT_H

#include "diff_choice.h"
#include "diff_judge.h"
#include "str.h"

#include <stdio.h>

struct err;

/* All there is to tell; all borrowed. */
struct diff_report {
	const struct diff *diff;
	const struct diff_side *side[DIFF_SIDES];
	const struct diff_judge *judge;
	const char *dir[DIFF_SIDES]; /* as given */
	uint64_t top;                /* rows of a table of the text; UINT64_MAX: all */
};

enum { DIFF_CHANGE_BYTES = 32, DIFF_WHERE_BYTES = 4096 };

/* "-41.2%", "+3.0%", "x12.4" from ten times on, "=", "new" where A has none; returns `text`. */
const char *diff_change_text(char text[DIFF_CHANGE_BYTES], uint64_t a, uint64_t b);

/* b / a - 1 in percent; only where a is not 0. */
double diff_change_percent(uint64_t a, uint64_t b);

/* The one sentence that says what changed most and where, with a full stop. Returns 0, ERR_LIMIT,
 * ERR_NOMEM. */
int diff_sentence(const struct diff_report *r, struct str *out, struct err *err);

/* What a row is of: "mm.cl:9  B[k * n + j];", "mm -> mm_tiled", "buffer 2, 4,096 bytes  A, B". */
int diff_row_text(enum diff_section section, const struct diff_row *row, struct str *out,
                  struct err *err);

/* Returns 0 or what diff_row_text() does; who prints need not look for errors of writing. */
int diff_text(const struct diff_report *r, FILE *out, struct err *err);

/* Write to `file`, "-" for stdout. Return 0, ERR_IO, ERR_NOMEM. */
int diff_json(const struct diff_report *r, const char *file, struct err *err);
int diff_csv(const struct diff_report *r, const char *file, struct err *err);

#endif
