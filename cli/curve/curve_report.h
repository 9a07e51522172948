/*
 * curve_report - miss-ratio curves as a table for people, as CSV and as JSON (docs/json.md).
 */
#ifndef CURVE_REPORT_H
#define CURVE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct curve_set;
struct err;
struct recording;

/* What the curves are of, besides the set. */
struct curve_facts {
	const char *kernel; /* of the only launch played; NULL: of several */
	uint64_t launch;    /* its number */
	bool is_whole;
	double replay_rate; /* reads that miss in replay, as a share of all */
	const char *titles; /* of a picture: plot_titles.h; borrowed */
};

/* Sizes by powers of two and those of the marks, a row each. */
void curve_text_write(const struct curve_set *c, const struct curve_facts *f, FILE *out);

/* A line for each point: curve_walk_next(). */
void curve_csv_write(const struct curve_set *c, FILE *out);

/* The same points of a recording's curves. Returns what json_out_write() does. */
int curve_json_write(const struct curve_set *c, const struct recording *r,
                     const struct curve_facts *f, const char *file, struct err *err);

#endif
