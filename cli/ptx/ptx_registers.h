/*
 * ptx_registers - numbers for the names of a function's registers, in the order in which they are
 * first seen. Names of inner scopes are taken for those of the outer ones.
 */
#ifndef PTX_REGISTERS_H
#define PTX_REGISTERS_H

#include "array.h"
#include "ptx_lexer.h"

struct err;

struct ptx_registers {
	const char *text;
	struct array names; /* struct ptx_token */
	uint32_t *slots;    /* a power of two; number + 1, or 0 */
	size_t slot_count;
};

void ptx_registers_init(struct ptx_registers *r, const char *text);
void ptx_registers_release(struct ptx_registers *r);

/* Forget all names. */
void ptx_registers_clear(struct ptx_registers *r);

/* The number of a name; a new one gets the next. UINT32_MAX when out of memory. */
uint32_t ptx_registers_number(struct ptx_registers *r, struct ptx_token name, struct err *err);

#endif
