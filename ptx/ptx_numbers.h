/*
 * ptx_numbers - numbers for the names of a function's registers, in the order in which they are
 * first seen. Names of inner scopes are taken for those of the outer ones.
 */
#ifndef PTX_NUMBERS_H
#define PTX_NUMBERS_H

#include "array.h"
#include "ptx_word.h"

struct err;

struct ptx_numbers {
	struct array names; /* struct ptx_word */
	uint32_t *slots;    /* a power of two; number + 1, or 0 */
	size_t slot_count;
};

void ptx_numbers_init(struct ptx_numbers *r);
void ptx_numbers_release(struct ptx_numbers *r);

/* Forget all names. */
void ptx_numbers_clear(struct ptx_numbers *r);

/* The number of a name; a new one gets the next. PTX_NONE when out of memory. */
uint32_t ptx_numbers_of(struct ptx_numbers *r, struct ptx_word name, struct err *err);

#endif
