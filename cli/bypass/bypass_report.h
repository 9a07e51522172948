/*
 * bypass_report - the results of `warpline bypass`: as text for people, as JSON and CSV for
 * programs (docs/json.md).
 */
#ifndef BYPASS_REPORT_H
#define BYPASS_REPORT_H

#include "bypass_study.h"
#include "json_out.h"

#include <stdio.h>

struct err;
struct str;

/*
 * Append to *out what a list does, in words that a programmer can act on: "mm.cl:9: let the read of
 * B[j] bypass L1", or the kernel's name first if the reads are not in one file. The list has a
 * rule; reads that were never made are not named. Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int bypass_sentence_list(struct str *out, const struct bypass_try *t,
                         const struct bypass_list *list, struct err *err);

/* Append what to do, in one sentence without a newline: about all kernels, or about one. Return 0,
 * ERR_LIMIT or ERR_NOMEM. */
int bypass_sentence_all(const struct bypass_study *study, struct str *out, struct err *err);
int bypass_sentence_kernel(const struct bypass_study *study, const struct bypass_try *t,
                           struct str *out, struct err *err);

/* Print the whole report, or only its sentences. Return 0, ERR_LIMIT or ERR_NOMEM. */
int bypass_text_print(FILE *out, const struct bypass_study *study, struct err *err);
int bypass_text_sentence(FILE *out, const struct bypass_study *study, struct err *err);

/* The whole report as one object, which the caller owns; NULL when out of memory. */
json_t *bypass_json(struct json_out *out, const struct bypass_study *study, struct err *err);

/* Write a line for each list that was measured, of each kernel. Returns 0 or ERR_NOMEM. */
int bypass_csv_write(FILE *out, const struct bypass_study *study, struct err *err);

#endif
