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

/* The result, a float if is_single, of CUDA's function "__nv_NAME_rn", "_rz", "_rd" or "_ru". */
LLVMValueRef ptx_real_call(struct ptx_emitter *e, const char *name, enum ptx_rounding rounding,
                           bool is_single, LLVMValueRef *arguments, unsigned count);

/* Emit any arithmetic instruction whose first type is f32, f64, or one of halves. */
void ptx_real_emit(struct ptx_emitter *e, const struct ptx_step *s);

/* As .sat and .relu say: between 0 and 1, and 0 for what is no number; or not below 0. */
LLVMValueRef ptx_real_limit(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef value);

#endif
