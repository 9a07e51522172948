/*
 * ptx_rounding - floating point results rounded in a direction that LLVM's operations do not have.
 *
 * A result is the sum of a double and of a remainder below its last bit, of which the sign counts:
 * the nearest number of the type is stepped by one where it lies on the wrong side of that.
 */
#ifndef PTX_ROUNDING_H
#define PTX_ROUNDING_H

#include "ptx_emit.h"

enum ptx_rounding {
	PTX_TO_NEAREST,
	PTX_TO_ZERO,
	PTX_DOWN,
	PTX_UP,
};

/* What .rz, .rm, .rp (or .rzi, .rmi, .rpi) say; else to nearest. */
enum ptx_rounding ptx_rounding_of(const struct ptx_emitter *e, const struct ptx_step *s);

/* A result, exactly: value + rest, both double; `rest` has its sign only. */
struct ptx_exact {
	LLVMValueRef value, rest;
};

/* a + b (its zero has the sign of the rounding), a * b, a / b, the root of a; of doubles. */
struct ptx_exact ptx_exact_sum(struct ptx_emitter *e, LLVMValueRef a, LLVMValueRef b,
                               enum ptx_rounding rounding);
struct ptx_exact ptx_exact_product(struct ptx_emitter *e, LLVMValueRef a, LLVMValueRef b);
struct ptx_exact ptx_exact_quotient(struct ptx_emitter *e, LLVMValueRef a, LLVMValueRef b);
struct ptx_exact ptx_exact_root(struct ptx_emitter *e, LLVMValueRef a);

/* It as an f32 or f64, rounded so. */
LLVMValueRef ptx_round(struct ptx_emitter *e, struct ptx_exact exact, enum ptx_rounding rounding,
                       enum ptx_type type);

#endif
