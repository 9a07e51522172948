/*
 * number_set - a set of numbers that is filled once and then asked often (private to this room).
 *
 * Open addressing with linear probing (Knuth, TAOCP 3, 6.4, algorithm L), at most three quarters
 * full. Memory: 8 bytes for each place.
 */
#ifndef NUMBER_SET_H
#define NUMBER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Zeroed: an empty set to which nothing can be added. */
struct number_set {
	uint64_t *places; /* number + 1; 0: free */
	size_t mask;      /* places - 1 */
	uint32_t shift;   /* 64 - log2(places) */
};

/* Make an empty set with room for this many. Returns 0 or ERR_NOMEM; release it in every case. */
int number_set_init(struct number_set *s, size_t count, struct err *err);

/* Accepts a zeroed struct. */
void number_set_release(struct number_set *s);

/* Add a number other than UINT64_MAX, once or more. */
void number_set_add(struct number_set *s, uint64_t number);

/* The place of a number, or the free one where it would be; there are places. */
static inline size_t number_set_place(const struct number_set *s, uint64_t number)
{
	size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> s->shift);

	while (s->places[at] && s->places[at] != number + 1)
		at = (at + 1) & s->mask;
	return at;
}

static inline bool number_set_has(const struct number_set *s, uint64_t number)
{
	return s->places && s->places[number_set_place(s, number)];
}

#endif
