/*
 * bypass_memo - measures of sets of candidates, each measured once (private to this room). A set
 * is 64 bits: bit i is candidate i.
 */
#ifndef BYPASS_MEMO_H
#define BYPASS_MEMO_H

#include "array.h"
#include "bypass_measure.h"

#include <stdbool.h>

struct bypass_candidate;

struct bypass_memo {
	const struct bypass_judge *judge;
	const struct bypass_candidate *candidates;
	size_t count;
	const struct bypass_list *base; /* NULL: none */
	uint64_t left;                  /* sets that may still be measured */
	bool is_limited;                /* a set was not measured because of that */
	struct array entries;           /* of struct memo_entry */
	uint32_t *slots;                /* entry + 1, by hash; 0: free; at most half are taken */
	size_t slot_count;
};

/* Nothing measured yet; the fields before `left` are borrowed. No allocation. */
void bypass_memo_init(struct bypass_memo *m);
void bypass_memo_release(struct bypass_memo *m);

/* Measure the unmeasured ones of sets[0..count) in one batch, only the first if the limit is
 * reached; no set is passed twice. Returns 0, ERR_NOMEM, or an error of the judge or
 * bypass_list_add(). */
int bypass_memo_measure(struct bypass_memo *m, const uint64_t *sets, size_t count, struct err *err);

/* The measure of a set, until the next bypass_memo_measure(); NULL: not measured. */
const struct bypass_measure *bypass_memo_find(const struct bypass_memo *m, uint64_t set);

#endif
