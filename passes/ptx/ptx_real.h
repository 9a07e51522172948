/*
 * ptx_real - PTX's arithmetic on floating point numbers, halves among them.
 *
 * Numbers too small to be normal stay (.ftz is not done); approximations (.approx, .full) are as
 * exact as the device makes the operation itself. Halves are computed with as floats.
 */
#ifndef PTX_REAL_H
#define PTX_REAL_H

#include "ptx_emit.h"

enum ptx_rounding {
	PTX_TO_NEAREST,
	PTX_TO_ZERO,
	PTX_DOWN,
	PTX_UP,
};

/* What .rz, .rm, .rp (or .rzi, .rmi, .rpi) say; else to nearest. */
enum ptx_rounding ptx_rounding_of(const struct ptx_emitter *e, const struct ptx_step *s);

/* Emit any arithmetic instruction whose first type is f32, f64, or one of halves. */
void ptx_real_emit(struct ptx_emitter *e, const struct ptx_step *s);

/* Halves (f16) and the upper halves of floats (bf16), kept as 16 bits, from and to floats. */

/* 16 bits of the class of `type` as a float; a float as these, rounded to nearest. */
LLVMValueRef ptx_half_to_float(struct ptx_emitter *e, LLVMValueRef bits, enum ptx_type type);

/* The i-th half of 16 or 32 bits; two halves as 32 bits. */
LLVMValueRef ptx_half_lane(struct ptx_emitter *e, LLVMValueRef bits, unsigned i);

#endif
