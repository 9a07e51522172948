/*
 * address_form - an address in a kernel as a polynomial over values: a constant and terms, each a
 * number times a product of up to FORM_DEGREE leaves, modulo 2^64.
 *
 * A leaf is a value extended to 64 bits, with its sign or with zeros. 64-bit sums, differences,
 * products and shifts become operations on polynomials, which is exact modulo 2^64. Narrower ones
 * that are extended afterwards do so only where the source promises that they do not wrap.
 * Everything else is a leaf. The difference between two forms is therefore the exact difference
 * between the two addresses, in every execution that the source defines.
 */
#ifndef ADDRESS_FORM_H
#define ADDRESS_FORM_H

#include "array.h"
#include "pointer_map.h"

#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

struct err;

#define FORM_DEGREE 4u
#define FORM_TERMS  24u

struct form_term {
	uint64_t scale; /* not 0 */
	uint32_t degree;
	uint32_t leaves[FORM_DEGREE]; /* ascending */
};

struct form {
	uint64_t constant;
	uint32_t count;
	struct form_term terms[FORM_TERMS]; /* ascending by their leaves */
};

/* Gives equal numbers to values that are always equal. */
struct value_numbers {
	struct pointer_map known;
	struct array values; /* struct numbered_value, indexed by number */
	bool has_uniform_groups;
};

/* Finds the forms of one function's values. */
struct form_finder {
	LLVMTargetDataRef layout;
	LLVMContextRef context;
	struct value_numbers numbers;
	struct pointer_map found[2]; /* index in `forms`: sign-extended, zero-extended */
	struct array forms;          /* struct form */
	uint32_t depth;
};

/*
 * Start on a function of `module`. has_uniform_groups: all groups of a launch have the same size.
 */
void form_finder_init(struct form_finder *f, LLVMModuleRef module, bool has_uniform_groups);

/* Free what it owns. Accepts a zeroed struct. */
void form_finder_release(struct form_finder *f);

/*
 * Find the form of a pointer. Returns false when it has none, or when memory ran out, with *err
 * set. If pointers have fewer than 64 bits, the form holds modulo their width.
 */
bool form_find(struct form_finder *f, LLVMValueRef pointer, struct form *out, struct err *err);

/* *out = a - b. Returns false when the difference has too many terms. */
bool form_subtract(const struct form *a, const struct form *b, struct form *out);

/* Whether all leaves are the same in the whole launch. */
bool form_is_invariant(const struct form_finder *f, const struct form *form);

/* Whether the forms differ at most in their constants. */
bool form_is_parallel(const struct form *a, const struct form *b);

/* Build code that computes an invariant form without its constant, as i64. */
LLVMValueRef form_compute(const struct form_finder *f, LLVMBuilderRef b, const struct form *form);

/*
 * Which instructions may be computed again in another place, given the same operands: those that
 * neither access memory nor have side effects.
 */

#define AFFINE_OPERANDS_MOST 8

/* How many operands must be the same, or -1 if the instruction may not be computed again. */
int32_t affine_pure_operands(LLVMValueRef instruction);

/* Whether it may trap for some operands: a division, unless by a constant other than 0 and -1. */
bool affine_pure_may_trap(LLVMValueRef instruction);

/* The number of a value. VALUE_NUMBERS_NONE if it is undefined, or when memory ran out, with *err
 * set. */
#define VALUE_NUMBERS_NONE UINT32_MAX
uint32_t value_numbers_of(struct value_numbers *n, LLVMValueRef value, struct err *err);

#endif
