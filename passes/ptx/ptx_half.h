/*
 * ptx_half - halves (f16) and the upper halves of floats (bf16), kept as 16 bits, from and to
 * floats.
 */
#ifndef PTX_HALF_H
#define PTX_HALF_H

#include "ptx_emit.h"

/* 16 bits of the class of `type` as a float; a float as these, rounded to nearest. */
LLVMValueRef ptx_half_to_float(struct ptx_emitter *e, LLVMValueRef bits, enum ptx_type type);
LLVMValueRef ptx_float_to_half(struct ptx_emitter *e, LLVMValueRef value, enum ptx_type type);

/* The i-th half of 16 or 32 bits; two halves as 32 bits. */
LLVMValueRef ptx_half_lane(struct ptx_emitter *e, LLVMValueRef bits, unsigned i);
LLVMValueRef ptx_half_pair(struct ptx_emitter *e, LLVMValueRef low, LLVMValueRef high);

#endif
