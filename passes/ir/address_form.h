/*
 * address_form - an address of a kernel as a polynomial over values: a constant and terms, each a
 * number times a product of up to FORM_DEGREE leaves, modulo 2^64.
 *
 * A leaf is the number of a value extended to 64 bits, with its sign or with zeros. Sums,
 * differences, products and shifts of 64 bits are those of the polynomials, because these are ring
 * operations modulo 2^64; narrower ones that are then extended only where the source promises that
 * they do not wrap. All else is a leaf. So two addresses of one place differ by the
 * difference of their forms, exactly, in every execution that the source defines.
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
	uint32_t leaves[FORM_DEGREE]; /* in ascending order */
};

struct form {
	uint64_t constant;
	uint32_t count;
	struct form_term terms[FORM_TERMS]; /* by their leaves, in ascending order */
};

/* Numbers values so that those that are always equal have the same number. */
struct value_numbers {
	struct pointer_map known;
	struct array values; /* struct numbered_value, by number */
	bool has_uniform_groups;
};

/* What finds the forms of one function's values. */
struct form_finder {
	LLVMTargetDataRef layout;
	LLVMContextRef context;
	struct value_numbers numbers;
	struct pointer_map found[2]; /* index in `forms`: extended with its sign, with zeros */
	struct array forms;          /* struct form */
	uint32_t depth;
};

/* Begin for a module's function; with has_uniform_groups, all groups of a launch have the same
 * size. */
void form_finder_init(struct form_finder *f, LLVMModuleRef module, bool has_uniform_groups);

/* Free what it owns. Accepts a zeroed struct. */
void form_finder_release(struct form_finder *f);

/*
 * The form of a pointer in *out. False when it has none, or with *err set: no memory. Pointers of
 * fewer than 64 bits: the form holds modulo their width.
 */
bool form_find(struct form_finder *f, LLVMValueRef pointer, struct form *out, struct err *err);

/* a - b in *out. False when it has too many terms. */
bool form_subtract(const struct form *a, const struct form *b, struct form *out);

/* Whether all its leaves are the same in the whole launch. */
bool form_is_invariant(const struct form_finder *f, const struct form *form);

/* Whether the forms are the same but for their constants. */
bool form_is_parallel(const struct form *a, const struct form *b);

/* Code at the builder that computes an invariant form without its constant, as i64. */
LLVMValueRef form_compute(const struct form_finder *f, LLVMBuilderRef b, const struct form *form);

/*
 * Which instructions may be computed a second time in another place, given the same operands:
 * those that neither touch memory nor have effects.
 */

#define AFFINE_OPERANDS_MOST 8

/* How many operands have to be the same, or -1 when it may not be computed again. */
int32_t affine_pure_operands(LLVMValueRef instruction);

/* Whether it may fail for some operands: a division by what is no constant but 0 and -1. */
bool affine_pure_may_trap(LLVMValueRef instruction);

/* The number of a value, or VALUE_NUMBERS_NONE: no memory, with *err set; or undefined. */
#define VALUE_NUMBERS_NONE UINT32_MAX
uint32_t value_numbers_of(struct value_numbers *n, LLVMValueRef value, struct err *err);

#endif
