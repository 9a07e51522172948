/*
 * stats_report - the statistics of a launch, as text for people and as JSON (docs/json.md).
 */
#ifndef STATS_REPORT_H
#define STATS_REPORT_H

#include "json_out.h"

#include <stdio.h>

struct err;
struct recording;
struct stats_run;

/* Print the sections that are wanted, after stats_run_end(). Returns 0 or ERR_NOMEM. */
int stats_text_launch(FILE *out, const struct stats_run *s, const struct recording *r,
                      size_t launch, struct err *err);

/* The same as an object with a member for each section; the caller owns it. NULL with *err set. */
json_t *stats_json_launch(struct json_out *out, const struct stats_run *s,
                          const struct recording *r, size_t launch, struct err *err);

#endif
