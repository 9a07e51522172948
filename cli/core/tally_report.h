/*
 * tally_report - what the recording says of launches that have no line of their own.
 */
#ifndef TALLY_REPORT_H
#define TALLY_REPORT_H

#include "json_out.h"

#include <stdint.h>
#include <stdio.h>

struct recording;

/* A list of them as JSON, with kernel, fate, reason, how many, and the first and last number. */
json_t *tally_report_json(struct json_out *out, const struct recording *r);

/* A line of text for each, which begins with `head`. */
void tally_report_print(FILE *out, const struct recording *r, const char *head);

#endif
