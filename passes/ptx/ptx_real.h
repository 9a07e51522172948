/*
 * ptx_real - PTX floating-point arithmetic, including half precision.
 *
 * Subnormal numbers are kept (.ftz is ignored); approximations (.approx, .full) are as exact as the
 * device's own operation. Halves are computed as floats.
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

/* The rounding given by .rz, .rm, .rp (or .rzi, .rmi, .rpi); to nearest otherwise. */
enum ptx_rounding ptx_rounding_of(const struct ptx_emitter *e, const struct ptx_step *s);

/* Emit any arithmetic instruction whose first type is f32, f64, or a half-precision type. */
void ptx_real_emit(struct ptx_emitter *e, const struct ptx_step *s);

/*
 * Halves (f16) and upper halves of floats (bf16), stored as 16 bits: conversion from and to floats.
 */

/* Convert 16 bits of the class of `type` to a float; and a float back, rounded to nearest. */
LLVMValueRef ptx_half_to_float(struct ptx_emitter *e, LLVMValueRef bits, enum ptx_type type);

/* The i-th half of 16 or 32 bits; two halves joined to 32 bits. */
LLVMValueRef ptx_half_lane(struct ptx_emitter *e, LLVMValueRef bits, unsigned i);

#endif
