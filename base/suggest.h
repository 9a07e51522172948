/*
 * suggest - the known name that is nearest to a mistyped one.
 */
#ifndef SUGGEST_H
#define SUGGEST_H

struct suggestion {
	const char *wrong; /* what was written; borrowed */
	const char *best;  /* the nearest name offered so far, NULL when none is near; borrowed */
	unsigned distance; /* edits between the two */
};

/* Begin. A name is near when fewer edits lead to it than half its letters, and at most 2. */
void suggestion_init(struct suggestion *s, const char *wrong);

/* Consider `name`. Of equally near names the first offered stays. */
void suggestion_offer(struct suggestion *s, const char *name);

/* Letters to insert, delete, replace or swap (neighbours) to get from a to b; names longer than 31
 * letters count as 32 apart. */
unsigned suggestion_distance(const char *a, const char *b);

#endif
