/*
 * bypass_report - what `warpline bypass` found: as text for people, as JSON and CSV for programs
 * (docs/json.md).
 */
#ifndef BYPASS_REPORT_H
#define BYPASS_REPORT_H

#include "bypass_carveout.h"
#include "bypass_try.h"
#include "json_out.h"

#include <stdio.h>

struct err;
struct str;

struct bypass_report {
	const struct bypass_run *run; /* all borrowed */
	const struct bypass_wish *wish;
	const struct bypass_try *tries; /* count of them, one for each kernel */
	size_t count;
	bool has_splits; /* asked for: */
	const struct bypass_carveout *splits;
	size_t split_count;
	/* Sums over the kernels, by bypass_report_sum(): of each kind of list, and of the best list
	 * of each kernel. */
	struct bypass_entry_sum {
		bool is_there;
		size_t rules;
		struct bypass_measure measure;
	} rows[BYPASS_ROWS], best;
};

/* Fill the sums. */
void bypass_report_sum(struct bypass_report *r);

/* Whether the kernel was played, and whether any list is worth it. */
bool bypass_report_was_played(const struct bypass_try *t);
bool bypass_report_gains(const struct bypass_try *t);

/* Whether the best list sends all reads of a site past L1, for the site. */
bool bypass_report_bypasses(const struct bypass_try *t, size_t site);

/* misses per read that L1 was asked; 0 without reads. */
double bypass_report_miss_rate(const struct bypass_measure *m);

/*
 * What to do, in one sentence, without a newline: of all kernels, and of one. Appended to *out.
 * Returns 0, ERR_LIMIT or ERR_NOMEM.
 */
int bypass_sentence_all(const struct bypass_report *r, struct str *out, struct err *err);
int bypass_sentence_kernel(const struct bypass_report *r, const struct bypass_try *t,
                           struct str *out, struct err *err);

/* Print the report, or its first line. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int bypass_text_sentence(FILE *out, const struct bypass_report *r, struct err *err);
int bypass_text_print(FILE *out, const struct bypass_report *r, struct err *err);

/* What there is to say of the lists of one kernel, below their table. Returns 0 or ERR_NOMEM. */
int bypass_text_notes(FILE *out, const struct bypass_report *r, const struct bypass_try *t,
                      struct err *err);

/* The tables below that. */
void bypass_text_reads(FILE *out, const struct bypass_report *r, const struct bypass_try *t);
void bypass_text_lines(FILE *out, const struct bypass_report *r, const struct bypass_try *t);
void bypass_text_curve(FILE *out, const struct bypass_report *r, const struct bypass_try *t);
void bypass_text_splits(FILE *out, const struct bypass_report *r);

/* The whole as one object, which the caller owns; NULL when out of memory. */
json_t *bypass_json(struct json_out *out, const struct bypass_report *r, struct err *err);

/* A line for each list that was measured, of each kernel. Returns 0 or ERR_NOMEM. */
int bypass_csv_write(FILE *out, const struct bypass_report *r, struct err *err);

#endif
