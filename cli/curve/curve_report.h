/*
 * curve_report - miss-ratio curves as a table for people, as CSV and as JSON (docs/json.md).
 */
#ifndef CURVE_REPORT_H
#define CURVE_REPORT_H

#include <stdio.h>

struct curve_run;
struct curve_set;
struct err;

/* Sizes that are powers of two or marked, a row each. */
void curve_text_write(const struct curve_run *run, FILE *out);

/* A row for each point of curve_walk_next(). Returns 0 or ERR_NOMEM. */
int curve_csv_write(const struct curve_set *c, FILE *out, struct err *err);

/* The same points. Returns as json_out_write(). */
int curve_json_write(const struct curve_run *run, const char *file, struct err *err);

#endif
