/*
 * ptx_real - PTX's arithmetic on floating point numbers, halves among them.
 *
 * Numbers too small to be normal stay (.ftz is not done); approximations (.approx, .full) are as
 * exact as the device makes the operation itself. Halves are computed with as floats.
 */
#ifndef PTX_REAL_H
#define PTX_REAL_H

#include "ptx_emit.h"

/* Emit any arithmetic instruction whose first type is f32, f64, or one of halves. */
void ptx_real_emit(struct ptx_emitter *e, const struct ptx_step *s);

/* The value between 0 and 1; 0 for what is no number. */
LLVMValueRef ptx_real_saturate(struct ptx_emitter *e, LLVMValueRef value);

#endif
