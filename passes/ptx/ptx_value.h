/*
 * ptx_value - PTX operands as LLVM values: read with the type that the instruction gives them,
 * written to registers at least as wide; and what the handlers of instructions share.
 */
#ifndef PTX_VALUE_H
#define PTX_VALUE_H

#include "ptx_emit.h"

#include <llvm-c/Core.h>

/* The LLVM type of a register of that type: float, double, or an integer of its width. */
LLVMTypeRef ptx_type_llvm(const struct ptx_emitter *e, enum ptx_type type);

/* The value of an operand; undefined, with a refusal, when it cannot be read. */
LLVMValueRef ptx_read(struct ptx_emitter *e, const struct ptx_operand *o, enum ptx_type type);

/* The step's operand i, read as its first type. */
LLVMValueRef ptx_read_at(struct ptx_emitter *e, const struct ptx_step *s, uint32_t index);

/* A predicate, including `!`. */
LLVMValueRef ptx_read_predicate(struct ptx_emitter *e, const struct ptx_operand *o);

/* Write a value of `type` to a register; a wider one is sign-extended. `_` discards it. */
void ptx_write(struct ptx_emitter *e, const struct ptx_operand *o, LLVMValueRef value,
               enum ptx_type type);
void ptx_write_name(struct ptx_emitter *e, struct ptx_word name, LLVMValueRef value,
                    enum ptx_type type);

/* Write to the first operand, as the first type. */
void ptx_write_result(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef value);

/* The symbol of a name if it is a variable, or NULL. */
struct ptx_symbol *ptx_variable_named(const struct ptx_emitter *e, struct ptx_word name);

LLVMTypeRef ptx_int(const struct ptx_emitter *e, unsigned bits);
LLVMTypeRef ptx_float(const struct ptx_emitter *e);
LLVMTypeRef ptx_byte_pointer(const struct ptx_emitter *e, unsigned space);
LLVMValueRef ptx_constant(const struct ptx_emitter *e, unsigned bits, uint64_t value);

/* The number `value` in the type of `like`, an integer or floating-point type. */
LLVMValueRef ptx_like(LLVMValueRef like, uint64_t value);
LLVMValueRef ptx_float_like(LLVMValueRef like, double value);

/* Call a function, declared with these types if necessary. */
LLVMValueRef ptx_call(struct ptx_emitter *e, const char *name, LLVMTypeRef result,
                      LLVMValueRef *arguments, unsigned count);

/* Call llvm.NAME for the type of its 1 to 3 arguments, those that are not NULL. */
LLVMValueRef ptx_math(struct ptx_emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b,
                      LLVMValueRef c);

/*
 * ptx_memory.c: PTX's variables as variables of the LLVM module.
 *
 * All are arrays of bytes; if initial values contain addresses, packed structs of bytes and
 * pointers. .extern .shared variables of size 0 are the launch's dynamic shared memory.
 */

/* LLVM's number of a PTX address space. */
unsigned ptx_llvm_space(enum ptx_space space);

/* Add a variable, with the initial values in `initials`, to the module and the symbols. */
void ptx_global_add(struct ptx_emitter *e, const struct ptx_variable *v,
                    const struct array *initials);

/*
 * ptx_real.c: floating-point arithmetic, including half precision.
 *
 * Subnormal numbers are kept (.ftz is ignored); approximations (.approx, .full) are as exact as the
 * device's own operation. Halves are computed as floats.
 */

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

/* Convert a half (f16) or the upper half of a float (bf16), stored as 16 bits, to a float. */
LLVMValueRef ptx_half_to_float(struct ptx_emitter *e, LLVMValueRef bits, enum ptx_type type);

/* The i-th half of 16 or 32 bits. */
LLVMValueRef ptx_half_lane(struct ptx_emitter *e, LLVMValueRef bits, unsigned i);

#endif
