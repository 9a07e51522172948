/*
 * diff_verdict - whether B is better than A: by its memory work and the number of SMs that share
 * it.
 *
 * Work is counted in turns of both memories (docs/findings.md, "What a finding costs"), so that
 * local memory that replaces requests is weighed against them. Cycles do not count: the model's
 * cycles are meaningful only for launches that fill the GPU.
 */
#ifndef DIFF_VERDICT_H
#define DIFF_VERDICT_H

#include "diff_compare.h"

#include <stdbool.h>
#include <stdint.h>

/* UNCLEAR: less work on fewer SMs, or more bytes of DRAM with less work. NONE: turns of A and B
 * differ in length, as on different GPUs. */
enum diff_word { DIFF_IS_BETTER, DIFF_IS_WORSE, DIFF_IS_ALIKE, DIFF_IS_UNCLEAR, DIFF_IS_NONE };

struct diff_verdict {
	enum diff_word word;
	bool is_by_sms;               /* the work is equal, and the SMs with work decide */
	uint64_t turns[DIFF_SIDES];   /* of global and local memory, of all launches */
	uint32_t sms[DIFF_SIDES];     /* SMs with work, on average over the turns of all launches */
	uint32_t of_sms[DIFF_SIDES];  /* SMs of the GPU */
	bool lacks_local[DIFF_SIDES]; /* local memory was used and not recorded: the verdict ignores
	                                 it */
	bool is_full[DIFF_SIDES];     /* launches with nine tenths of the turns give each SM as many
	                                 groups as it can hold at a time, so that cycles say
	                                 something */
};

/* Changes below this many percent of A are ignored. */
#define DIFF_WORTH_PERCENT 1.0

/* Judge a diff both of whose sides have replayed launches. */
struct diff_verdict diff_verdict_make(const struct diff *d);

/* Whether turns have the same length on both GPUs. */
bool diff_turns_are_comparable(const struct diff *d);

/* Returns -1 if B has significantly less than A, 1 for more, else 0. */
int diff_direction(double a, double b);

#endif
