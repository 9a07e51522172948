/*
 * value_numbers - equal numbers for values of a function that are equal whenever both are there:
 * the same value, or the same operation without effects on values of equal numbers.
 *
 * Of each it tells whether it is the same for all work-items of a launch, so that the first of
 * them can compute it from the kernel's arguments. Where the same is not seen the numbers differ.
 */
#ifndef VALUE_NUMBERS_H
#define VALUE_NUMBERS_H

#include "array.h"
#include "pointer_map.h"

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

struct err;

struct value_numbers {
	struct pointer_map known;
	struct array values; /* struct numbered_value, by number */
	bool has_uniform_groups;
};

/* All groups of a launch have get_local_size() work-items; else they may have fewer. */
void value_numbers_init(struct value_numbers *n, bool has_uniform_groups);

/* Free what it owns. Accepts a zeroed struct. */
void value_numbers_release(struct value_numbers *n);

/* The number of a value, or VALUE_NUMBERS_NONE: no memory, with *err set; or undefined. */
#define VALUE_NUMBERS_NONE UINT32_MAX
uint32_t value_numbers_of(struct value_numbers *n, LLVMValueRef value, struct err *err);

/* Whether the value of that number is the same in the whole launch, and can be computed anywhere.
 */
bool value_numbers_is_invariant(const struct value_numbers *n, uint32_t number);

/* Code at the builder that computes such a value. */
LLVMValueRef value_numbers_compute(const struct value_numbers *n, LLVMBuilderRef b,
                                   uint32_t number);

#endif
