/*
 * report_output - a report (report_data.h) as text, as annotated source and as JSON (docs/json.md).
 */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include "report_data.h"

#include <stdio.h>

struct colour;

/* The version of the JSON: grows when a member changes its meaning or goes. */
enum { REPORT_JSON_VERSION = 1 };

/* Print at most `top` findings, kernels, source lines and buffers each. Callers need not check for
 * write errors. */
void report_text_print(FILE *out, const struct report_data *d, uint64_t top);

/* Print the source of each kernel that was replayed, with numbers beside each line that accesses
 * memory; hot lines are marked, and coloured on a terminal with colours. */
void report_annotate_print(FILE *out, const struct report_data *d, const struct colour *colour);

/* Write to `file`, whole or not at all (out_file.h). Returns 0, ERR_IO or ERR_NOMEM. */
int report_json_write(const char *file, const struct report_data *d, struct err *err);

#endif
