/*
 * launch_summary_text - what record and info print first: the launches of a recording, counted.
 */
#ifndef LAUNCH_SUMMARY_TEXT_H
#define LAUNCH_SUMMARY_TEXT_H

#include <stdio.h>

struct launch_summary;
struct recording;

/* The lines of text that record and info share. */
void launch_summary_print(const struct launch_summary *s, FILE *out);

/*
 * The lines about time, when the recording says how long the program ran. The recorder's own work,
 * in whatever thread, is the most that it can have made the program wait: without it the program
 * would have run for at least the difference, which bounds the slow-down. What a later run finds
 * done, instrumented and compiled kernels, is told apart. The program's native time is not
 * measured.
 */
void launch_summary_print_time(const struct launch_summary *s, const struct recording *r,
                               FILE *out);

/* What the recorder's work was for, and what helps against the most of it (--explain-cost). */
void launch_summary_print_cost(const struct recording *r, FILE *out);

#endif
