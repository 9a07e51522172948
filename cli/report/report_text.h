/*
 * report_text - a report as text: the findings first, then kernels, source lines and buffers.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report_data.h"

#include <stdio.h>

struct colour;

/* Print it, with `top` rows of each table at most. What cannot be written shows in `out`. */
void report_text_print(FILE *out, const struct report_data *d, uint64_t top);

/* The findings alone, with what was looked for in vain. */
void report_text_findings(FILE *out, const struct report_data *d, uint64_t top);

/* The source of each kernel that was played, with its numbers beside each line that accesses
 * memory; hot lines have a sign, and a colour where there are colours. */
void report_annotate_print(FILE *out, const struct report_data *d, const struct colour *colour);

#endif
