/*
 * affine_values - code that computes an affine expression after its loop has run.
 *
 * All code goes to where the builder stands: somewhere that the loop's header
 * dominates, on the way out of the loop.
 */
#ifndef AFFINE_VALUES_H
#define AFFINE_VALUES_H

#include "affine_expression.h"

struct affine_values {
	const struct affine_expression *expression; /* borrowed */
	LLVMBuilderRef b;                           /* borrowed */
	LLVMValueRef *base, *step; /* per term; of an invariant term: the value itself, and NULL */
};

/*
 * Compute base and step of every term. Release with affine_values_release(). An expression that
 * may trap only where the kernel has computed it. Returns 0 or ERR_NOMEM.
 */
int affine_values_init(struct affine_values *v, LLVMBuilderRef b, const struct affine_expression *e,
                       struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void affine_values_release(struct affine_values *v);

/* The last term in iteration 0, and what is added each iteration; as integers. */
LLVMValueRef affine_values_base(const struct affine_values *v);
LLVMValueRef affine_values_step(const struct affine_values *v);

/*
 * Whether the value is base + i * step in every iteration i = 0 .. last (64 bits, unsigned), as an
 * i1; NULL when it always is. True is always right; false also stands for "cannot tell", which is
 * so from 2^31 iterations on.
 */
LLVMValueRef affine_values_check(const struct affine_values *v, LLVMValueRef last);

/* The value in iteration i (64 bits), whatever wraps. */
LLVMValueRef affine_values_at(const struct affine_values *v, LLVMValueRef i, struct err *err);

#endif
