/*
 * ready_set - which of some numbers are in a set, and which is its k-th: for drawing one at random.
 *
 * A bit for each number and a count for each 64 of them; finding the k-th of a few thousand takes
 * tens of steps.
 */
#ifndef READY_SET_H
#define READY_SET_H

#include <stdint.h>

struct err;

struct ready_set {
	uint64_t *bits; /* NULL: nobody wants the set */
	uint8_t *counts;
	uint32_t count; /* in the set */
};

/* An empty set of numbers below `size`. Returns 0 or ERR_NOMEM; release in any case. */
int ready_set_init(struct ready_set *s, uint32_t size, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void ready_set_release(struct ready_set *s);

/* Put a number in, or take it out, if it is not so already. Nothing happens to a zeroed struct. */
void ready_set_add(struct ready_set *s, uint32_t number);
void ready_set_remove(struct ready_set *s, uint32_t number);

/* The k-th, from 0, in ascending order; k < s->count. */
uint32_t ready_set_at(const struct ready_set *s, uint32_t k);

#endif
