/*
 * ptx_value - operands of PTX as LLVM values: read with the type that an instruction has for them,
 * written to registers of as many bits or more.
 */
#ifndef PTX_VALUE_H
#define PTX_VALUE_H

#include "ptx_emit.h"

#include <llvm-c/Core.h>

/* What LLVM's registers of a type are: float, double, or an integer of its bits. */
LLVMTypeRef ptx_type_llvm(const struct ptx_emitter *e, enum ptx_type type);

/* The value of an operand; undefined, with a refusal, when it cannot be. */
LLVMValueRef ptx_read(struct ptx_emitter *e, const struct ptx_operand *o, enum ptx_type type);

/* The operand of the step as its first type. */
LLVMValueRef ptx_read_at(struct ptx_emitter *e, const struct ptx_step *s, uint32_t index);

/* A predicate, `!` and all. */
LLVMValueRef ptx_read_predicate(struct ptx_emitter *e, const struct ptx_operand *o);

/* Write a value of `type` to a register: wider ones are filled up by its sign. `_`: nowhere. */
void ptx_write(struct ptx_emitter *e, const struct ptx_operand *o, LLVMValueRef value,
               enum ptx_type type);
void ptx_write_name(struct ptx_emitter *e, struct ptx_word name, LLVMValueRef value,
                    enum ptx_type type);

/* Write to the first operand, as the first type. */
void ptx_write_result(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef value);

/* The symbol that a name stands for when it is a variable, or NULL. */
struct ptx_symbol *ptx_variable_named(const struct ptx_emitter *e, struct ptx_word name);

LLVMTypeRef ptx_int(const struct ptx_emitter *e, unsigned bits);
LLVMTypeRef ptx_float(const struct ptx_emitter *e);
LLVMTypeRef ptx_byte_pointer(const struct ptx_emitter *e, unsigned space);
LLVMValueRef ptx_constant(const struct ptx_emitter *e, unsigned bits, uint64_t value);

/* A number of the type of `like`, an integer; or a floating point number of its type. */
LLVMValueRef ptx_like(LLVMValueRef like, uint64_t value);
LLVMValueRef ptx_float_like(LLVMValueRef like, double value);

/* A call of a function that is declared so. */
LLVMValueRef ptx_call(struct ptx_emitter *e, const char *name, LLVMTypeRef result,
                      LLVMValueRef *arguments, unsigned count);

/* llvm.NAME of the type of its arguments, 1 to 3 of them that are not NULL. */
LLVMValueRef ptx_math(struct ptx_emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b,
                      LLVMValueRef c);

#endif
