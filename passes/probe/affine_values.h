/*
 * affine_values - generates code that computes an affine expression after its loop has run.
 *
 * All code is built at the builder's position, which the loop's header must dominate: on an exit
 * path of the loop.
 */
#ifndef AFFINE_VALUES_H
#define AFFINE_VALUES_H

#include "affine_expression.h"

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
