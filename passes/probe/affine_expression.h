/*
 * affine_expression - a value of a kernel as an expression over one loop: which of
 * its parts are invariant in the loop and which change by the same step each
 * iteration.
 *
 * It is a list of terms, operands before users; the last term is the value. A term
 * that is linear has, in iteration i (from 0) of an activation, the value
 *
 *     base + i * step   modulo 2^bits,
 *
 * base and step invariant. Sums, differences, multiples, shifts and truncations of
 * such values are such values, because all of these are ring operations modulo 2^bits. Only
 * extensions are not: SIGN and ZERO of a linear term are linear as long as the
 * narrow value does not wrap, which has to be checked when the loop has run
 * (affine_values.h). Pointers are integers here.
 *
 * Nothing is changed in the kernel. What is not such an expression is refused,
 * with the reason.
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
	AFFINE_LEAF,  /* `value`: a constant, or defined before the loop */
	AFFINE_CLONE, /* `value`: an instruction of the loop without effects on invariant operands
	               */
	AFFINE_PHI,   /* parts[0] on entry; `constant` and the other parts are added each time round
	               */
	AFFINE_SUM,   /* `constant` and the parts */
	AFFINE_PRODUCT, /* parts[0], linear, times parts[1], invariant */
	AFFINE_SHIFT,   /* parts[0], linear, shifted left by parts[1], invariant */
	AFFINE_SIGN,    /* parts[0], linear and of at most 32 bits, with its sign extended */
	AFFINE_ZERO,    /* parts[0], linear and of at most 32 bits, extended by zeros */
	AFFINE_TRUNC,   /* the low bits of parts[0], linear */
};

/* A term times a constant. An invariant one of another width counts as sign-extended or cut. */
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
	LLVMValueRef value; /* what it stands for; NULL: nothing that the kernel has a name for */
};

struct affine_expression {
	struct affine_term *terms;
	size_t term_count;
	struct affine_part *parts;
	size_t part_count;
	size_t check_count; /* terms that are SIGN or ZERO */
	bool may_trap;      /* some CLONE divides: only to be computed where the kernel did */
};

/* Where to look: a loop of a flow, and the sizes of types. */
struct affine_scope {
	const struct kernel_flow *flow;
	LLVMTargetDataRef layout;
	int32_t loop;
};

/*
 * Express `value`, an integer or pointer used in the loop. Returns 0, and in *why NULL or, in
 * static storage, why there is no such expression (*e is empty then); or ERR_NOMEM. Release with
 * affine_expression_release().
 */
int affine_expression_find(struct affine_expression *e, const struct affine_scope *scope,
                           LLVMValueRef value, const char **why, struct err *err);

/*
 * The same for a pointer of which the address is wanted, 64 bits wide: where pointers are narrower
 * its last term is a ZERO.
 */
int affine_expression_find_address(struct affine_expression *e, const struct affine_scope *scope,
                                   LLVMValueRef pointer, const char **why, struct err *err);

/* Whether the value changes from iteration to iteration. */
bool affine_expression_is_linear(const struct affine_expression *e);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void affine_expression_release(struct affine_expression *e);

/*
 * A guess whether what an inner loop does is the same, but for a constant step, in each iteration
 * of the loop around it.
 */

/*
 * Set *is_regular when the address, an expression over loop `inner`, begins at what is affine in
 * `outer`'s loop, and every way out of `inner` is a comparison of values affine in it with bounds
 * invariant in `outer`'s. Returns 0 or ERR_NOMEM.
 */
int affine_regular_find(const struct affine_expression *address, int32_t inner,
                        const struct affine_scope *outer, bool *is_regular, struct err *err);

#endif
