/*
 * suggest - finds the known name nearest to a mistyped one.
 */
#ifndef SUGGEST_H
#define SUGGEST_H

struct suggestion {
	const char *wrong; /* the mistyped name; borrowed */
	const char *best;  /* the nearest name offered so far, or NULL; borrowed */
	unsigned distance; /* edits between the two */
};

/* Begin. A name is near if at most 2 edits, and fewer than half its letters, lead to it. */
void suggestion_init(struct suggestion *s, const char *wrong);

/* Consider `name`. Of equally near names the first one wins. */
void suggestion_offer(struct suggestion *s, const char *name);

/* Letters to insert, delete, replace or swap (neighbours) to get from a to b; 32 if a name is
 * longer than 31 letters. */
unsigned suggestion_distance(const char *a, const char *b);

#endif
