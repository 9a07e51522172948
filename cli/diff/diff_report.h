/*
 * diff_report - a diff as text for people, as JSON (docs/json.md) and as CSV.
 */
#ifndef DIFF_REPORT_H
#define DIFF_REPORT_H

#include "diff_judge.h"
#include "player.h"
#include "report_data.h"
#include "str.h"

#include <stdio.h>

struct err;

/* A side: a recording and its report. Zeroed: nothing. */
struct diff_side {
	struct recording *recording;
	struct replay_setup setup;
	struct report_data data;
};

/* What to report; all borrowed. */
struct diff_report {
	const struct diff *diff;
	const struct diff_side *side[DIFF_SIDES];
	const struct diff_judge *judge;
	const char *dir[DIFF_SIDES]; /* as given */
	uint64_t top;                /* rows of a table of the text; UINT64_MAX: all */
};

enum { DIFF_CHANGE_BYTES = 32 };

/* "-41.2%", "+3.0%", "x12.4" from ten times on, "=", "new" if A has none; returns `text`. */
const char *diff_change_text(char text[DIFF_CHANGE_BYTES], uint64_t a, uint64_t b);

/* b / a - 1 in percent; a is not 0, or both are. */
double diff_change_percent(uint64_t a, uint64_t b);

/* Append the sentence that says what changed most and where, with a full stop. Returns 0, ERR_LIMIT
 * or ERR_NOMEM. */
int diff_sentence(const struct diff_report *r, struct str *out, struct err *err);

/* Append what a row describes: "mm.cl:9  | B[k * n + j];", "mm -> mm_tiled", "buffer 2, 4,096 bytes
 * A, B". Returns as diff_sentence() does. */
int diff_row_text(enum diff_section section, const struct diff_row *row, struct str *out,
                  struct err *err);

/* Print the text. Returns as diff_sentence() does; callers need not check for write errors. */
int diff_text(const struct diff_report *r, FILE *out, struct err *err);

/* Write to `file`, "-" for stdout. Return 0, ERR_IO or ERR_NOMEM. */
int diff_json(const struct diff_report *r, const char *file, struct err *err);
int diff_csv(const struct diff_report *r, const char *file, struct err *err);

#endif
