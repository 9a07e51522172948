/*
 * affine_expression - a value of a kernel as an expression over one loop: which of its parts are
 * invariant in the loop, and which change by the same step in each iteration.
 *
 * It is a list of terms, operands before users; the last term is the value. A linear term has, in
 * iteration i (from 0) of an activation of the loop, the value
 *
 *   base + i * step   modulo 2^bits,
 *
 * with base and step invariant. Sums, differences, multiples, shifts and truncations of linear
 * terms are linear, because all are ring operations modulo 2^bits. Only extensions are not: SIGN
 * and ZERO of a linear term are linear as long as the narrow value does not wrap, which must be
 * checked after the loop has run (affine_values_check()). Pointers are integers here.
 *
 * The kernel is not changed. A value that is not such an expression is refused, with the reason.
 */
#ifndef AFFINE_EXPRESSION_H
#define AFFINE_EXPRESSION_H

#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_flow;

enum affine_kind {
	AFFINE_LEAF,    /* `value`: a constant, or defined before the loop */
	AFFINE_CLONE,   /* `value`: an instruction of the loop, without side effects, on invariant
	                   operands */
	AFFINE_PHI,     /* parts[0] on entry; each iteration adds `constant` and the other parts */
	AFFINE_SUM,     /* `constant` plus the parts */
	AFFINE_PRODUCT, /* parts[0], linear, times parts[1], invariant */
	AFFINE_SHIFT,   /* parts[0], linear, shifted left by parts[1], invariant */
	AFFINE_SIGN,    /* parts[0], linear, of at most 32 bits, sign-extended */
	AFFINE_ZERO,    /* parts[0], linear, of at most 32 bits, zero-extended */
	AFFINE_TRUNC,   /* the low bits of parts[0], linear */
};

/* A term times a constant. An invariant term of another width is sign-extended or truncated. */
struct affine_part {
	uint32_t term;
	uint64_t scale;
};

struct affine_term {
	enum affine_kind kind;
	bool is_linear; /* all but LEAF and CLONE: changes with the iteration */
	uint32_t bits;  /* of a linear term: 1..64 */
	uint32_t first_part, part_count;
	uint64_t constant;
	LLVMValueRef value; /* the kernel's value for it; NULL: none */
};

struct affine_expression {
	struct affine_term *terms;
	size_t term_count;
	struct affine_part *parts;
	size_t part_count;
	size_t check_count; /* number of SIGN and ZERO terms */
	bool may_trap;      /* some CLONE divides: compute it only where the kernel did */
};

/* Where to search: a loop of a flow, and the sizes of types. */
struct affine_scope {
	const struct kernel_flow *flow;
	LLVMTargetDataRef layout;
	int32_t loop;
};

/*
 * Express `value`, an integer or pointer used in the loop. Returns 0 or ERR_NOMEM. *why is NULL, or
 * the reason, in static storage, why there is no such expression; *e is then empty. Release with
 * affine_expression_release().
 */
int affine_expression_find(struct affine_expression *e, const struct affine_scope *scope,
                           LLVMValueRef value, const char **why, struct err *err);

/*
 * The same for a pointer's address, 64 bits wide: if pointers are narrower, the last term is a
 * ZERO.
 */
int affine_expression_find_address(struct affine_expression *e, const struct affine_scope *scope,
                                   LLVMValueRef pointer, const char **why, struct err *err);

/* Whether the value changes between iterations. */
bool affine_expression_is_linear(const struct affine_expression *e);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void affine_expression_release(struct affine_expression *e);

/*
 * Guesses whether an inner loop does the same, except for a constant step, in each iteration of the
 * surrounding loop.
 *
 * Set *is_regular if the address, an expression over loop `inner`, starts at a value that is affine
 * in `outer`'s loop, and every exit of `inner` compares values affine in it with bounds invariant
 * in `outer`'s loop. Returns 0 or ERR_NOMEM.
 */
int affine_regular_find(const struct affine_expression *address, int32_t inner,
                        const struct affine_scope *outer, bool *is_regular, struct err *err);

/*
 * affine_values.c: generates code that computes an affine expression after its loop has run.
 *
 * All code is built at the builder's position, which the loop's header must dominate: on an exit
 * path of the loop.
 */

struct affine_values {
	const struct affine_expression *expression; /* borrowed */
	LLVMBuilderRef b;                           /* borrowed */
	LLVMValueRef *base, *step; /* per term; for an invariant term, the value itself and NULL */
};

/*
 * Compute base and step of every term. Release with affine_values_release(). An expression that may
 * trap must only be computed where the kernel has computed it. Returns 0 or ERR_NOMEM.
 */
int affine_values_init(struct affine_values *v, LLVMBuilderRef b, const struct affine_expression *e,
                       struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void affine_values_release(struct affine_values *v);

/* The value of the last term in iteration 0, and what each iteration adds; as integers. */
LLVMValueRef affine_values_base(const struct affine_values *v);
LLVMValueRef affine_values_step(const struct affine_values *v);

/*
 * Whether the value is base + i * step in every iteration i = 0 .. last (64 bits, unsigned), as an
 * i1; NULL when it always is. True is always right; false may also mean "cannot tell", which it
 * does from 2^31 iterations on.
 */
LLVMValueRef affine_values_check(const struct affine_values *v, LLVMValueRef last);

/* The value in iteration i (64 bits), even if something wraps. */
LLVMValueRef affine_values_at(const struct affine_values *v, LLVMValueRef i, struct err *err);

#endif
