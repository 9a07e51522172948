/*
 * ptx_integer - PTX's arithmetic on integers: the operations that other files use too.
 */
#ifndef PTX_INTEGER_H
#define PTX_INTEGER_H

#include "ptx_emit.h"

/* a OP b of add, sub, min, max, div, rem as the step says, of integers of its type. */
LLVMValueRef ptx_integer_binary(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                                LLVMValueRef b);

/* The lower, upper or whole product, as .lo, .hi and .wide say. */
LLVMValueRef ptx_integer_product(struct ptx_emitter *e, const struct ptx_step *s, LLVMValueRef a,
                                 LLVMValueRef b);

/* |a - b| without a sign, of numbers that have one or none. */
LLVMValueRef ptx_integer_distance(struct ptx_emitter *e, LLVMValueRef a, LLVMValueRef b,
                                  bool has_sign);

#endif
