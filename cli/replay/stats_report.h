/*
 * stats_report - the statistics of a launch and the sums of several, as text for people and as JSON
 * (docs/json.md).
 */
#ifndef STATS_REPORT_H
#define STATS_REPORT_H

#include "json_out.h"

#include <stdio.h>

struct err;
struct l1_stats_row;
struct stats_run;
struct stats_source;
struct stats_sum;

/* Print the wanted sections of a launch, after stats_run_end(), or of the sums, with a head. Return
 * 0 or ERR_NOMEM. */
int stats_text_launch(FILE *out, const struct stats_run *s, const struct stats_source *from,
                      struct err *err);
int stats_text_sum(FILE *out, const struct stats_run *s, const struct stats_sum *sum,
                   struct err *err);

/* Put the same as `stats` into the object of the launch or of the total. Return 0 or ERR_NOMEM. */
int stats_json_launch(struct json_out *out, json_t *launch, const struct stats_run *s,
                      const struct stats_source *from, struct err *err);
int stats_json_sum(struct json_out *out, json_t *total, const struct stats_run *s,
                   const struct stats_sum *sum, struct err *err);

/* Put the counters of a row; those of bypasses only if the replay had a bypass list. */
void stats_json_counts(struct json_out *out, json_t *object, const struct l1_stats_row *row,
                       bool has_bypass);

#endif
