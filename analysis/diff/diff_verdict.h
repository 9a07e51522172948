/*
 * diff_verdict - whether B is better than A: by its memory work, and by how many SMs share it.
 *
 * Work is counted in turns of both memories (docs/findings.md, "What a finding costs"), so that
 * local memory that replaces requests is weighed against them. Cycles are no part of it: the
 * model's say something only of launches that fill the GPU.
 */
#ifndef DIFF_VERDICT_H
#define DIFF_VERDICT_H

#include "diff_compare.h"

#include <stdbool.h>
#include <stdint.h>

/* UNCLEAR: less work on fewer SMs, or bytes of DRAM that grow where work falls; NONE: turns of A
 * and B are not as long, as those of different GPUs. */
enum diff_word { DIFF_IS_BETTER, DIFF_IS_WORSE, DIFF_IS_ALIKE, DIFF_IS_UNCLEAR, DIFF_IS_NONE };

struct diff_verdict {
	enum diff_word word;
	bool is_by_sms;              /* the work is alike, and SMs with work decide */
	uint64_t turns[DIFF_SIDES];  /* of global and local memory, of all launches */
	uint32_t sms[DIFF_SIDES];    /* that have work, on average over the turns of all launches */
	uint32_t of_sms[DIFF_SIDES]; /* that the GPU has */
	bool lacks_local[DIFF_SIDES]; /* local memory was used and not recorded: the verdict is as
	                                 far as that goes */
	bool is_full[DIFF_SIDES];     /* launches with nine tenths of the turns give each SM as many
	                                 groups as it can hold at a time, so that cycles say
	                                 something */
};

/* Changes of less than this many percent of A are none. */
#define DIFF_WORTH_PERCENT 1.0

/* Of a diff of which both sides have launches that were replayed. */
struct diff_verdict diff_verdict_make(const struct diff *d);

/* Whether turns are as long on both GPUs. */
bool diff_turns_are_comparable(const struct diff *d);

/* -1: B has less than A by what is worth a word; 1: more; 0: neither. */
int diff_direction(double a, double b);

#endif
