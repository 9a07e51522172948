/*
 * diff_pairs - matches the kernels, lines, buffers and launches of two reports by the rules of
 * diff_compare.h.
 */
#ifndef DIFF_PAIRS_H
#define DIFF_PAIRS_H

#include "diff_compare.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define DIFF_ALONE SIZE_MAX

struct diff_item {
	size_t scope;    /* items match only within a scope, */
	const char *key; /* and with an equal key; borrowed; NULL: not in this pass */
	uint64_t order;  /* among items with equal keys */
	size_t match;    /* item of the other list, or DIFF_ALONE */
	char *owned;     /* the key, if it was allocated; else NULL */
};

struct diff_items {
	struct diff_item *list;
	size_t count;
};

/*
 * Match the unmatched items that have a key: of equal keys the first with the first, the second
 * with the second, and so on. `is_even`: skip keys that one side has more often than the other,
 * because a match would be a guess. Returns 0 or ERR_NOMEM.
 */
int diff_match(struct diff_items *a, struct diff_items *b, bool is_even, struct err *err);

struct diff_pairs {
	const struct report_data *side[DIFF_SIDES]; /* borrowed */
	size_t count;           /* number of pairs of kernels and unmatched kernels */
	size_t *of[DIFF_SIDES]; /* by kernel of the recording: its pair, or DIFF_ALONE if none of
	                           its launches was replayed */
	/* In the order of the lists in the reports. */
	struct diff_items lines[DIFF_SIDES], buffers[DIFF_SIDES], launches[DIFF_SIDES];
};

/* Returns 0 or ERR_NOMEM; release in every case. */
int diff_pairs_make(struct diff_pairs *p, const struct report_data *a, const struct report_data *b,
                    struct err *err);
void diff_pairs_release(struct diff_pairs *p);

/* Whether two lines are equal except for blanks. */
bool diff_is_same_text(const char *a, const char *b);

/* Returns the name of a kernel of a recording; borrowed. */
const char *diff_pairs_name(const struct diff_pairs *p, size_t side, uint32_t kernel);

#endif
