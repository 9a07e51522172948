/*
 * diff_match - which thing of one recording is which of another: those with equal keys, the first
 * with the first, the second with the second, and so on.
 */
#ifndef DIFF_MATCH_H
#define DIFF_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define DIFF_ALONE SIZE_MAX

struct diff_item {
	size_t scope;    /* matched only within one, */
	const char *key; /* and with an equal text; borrowed; NULL: not this time */
	uint64_t order;  /* of those that are alike */
	size_t match;    /* item of the other list, or DIFF_ALONE */
	char *owned;     /* the key, if it was made for the match; else NULL */
};

struct diff_items {
	struct diff_item *list;
	size_t count;
};

/*
 * Match what has a key and is still alone. With `is_even` keys are passed over of which one side
 * has more than the other: who is who would be a guess. Returns 0 or ERR_NOMEM.
 */
int diff_match(struct diff_items *a, struct diff_items *b, bool is_even, struct err *err);

#endif
