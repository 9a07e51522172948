/*
 * launch_summary_text - what commands print about the launches of a recording: how many there are,
 * how long they took, what recording cost, what the counted ones did, and which have no line of
 * their own.
 */
#ifndef LAUNCH_SUMMARY_TEXT_H
#define LAUNCH_SUMMARY_TEXT_H

#include "json_out.h"

#include <stdint.h>
#include <stdio.h>

struct launch_summary;
struct recording;

/* The lines of text that record and info share. */
void launch_summary_print(const struct launch_summary *s, FILE *out);

/*
 * The lines about time, if the recording has the program's running time. The recorder's own work,
 * in whatever thread, is the most that the program can have waited for it. Without it the program
 * would have run for at least the difference, which bounds the slow-down. Work that a later run
 * finds done (kernels instrumented and compiled) is listed apart. The program's native time is not
 * measured.
 */
void launch_summary_print_time(const struct launch_summary *s, const struct recording *r,
                               FILE *out);

/* What the recorder spent its time on, and what would reduce the largest part (--explain-cost). */
void launch_summary_print_cost(const struct recording *r, FILE *out);

/*
 * What launches that were only counted (--count) did: a line for each kernel that has some, and
 * then for each such kernel its sites, with how often each was reached. Sums over its counted
 * launches; a sum that does not fit in 64 bits is 2^64 - 1.
 */
void launch_summary_print_counted(FILE *out, const struct recording *r);
void launch_summary_print_sites(FILE *out, const struct recording *r);

/* The launches that the recording only tallies, without a line for each: as a JSON list, with
 * kernel, fate, reason, number of launches, and their first and last number. */
json_t *launch_summary_tallies_json(struct json_out *out, const struct recording *r);

/* A line for each tally, which begins with `head`. */
void launch_summary_print_tallies(FILE *out, const struct recording *r, const char *head);

#endif
