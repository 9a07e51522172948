/*
 * affine_regular - a guess whether what an inner loop does is the same, but for a
 * constant step, in each iteration of the loop around it.
 */
#ifndef AFFINE_REGULAR_H
#define AFFINE_REGULAR_H

#include "affine_expression.h"

/*
 * Set *is_regular when the address, an expression over loop `inner`, begins at what is affine in
 * `outer`'s loop, and every way out of `inner` is a comparison of values affine in it with bounds
 * invariant in `outer`'s. Returns 0 or ERR_NOMEM.
 */
int affine_regular_find(const struct affine_expression *address, int32_t inner,
                        const struct affine_scope *outer, bool *is_regular, struct err *err);

#endif
