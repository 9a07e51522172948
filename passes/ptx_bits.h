/*
 * ptx_bits - shifts and masks as PTX has them: amounts of the width or more push all bits out.
 */
#ifndef PTX_BITS_H
#define PTX_BITS_H

#include "ptx_emit.h"

/* value << amount, or >> with zeros; the amount has the value's type. */
LLVMValueRef ptx_shift_left(struct ptx_emitter *e, LLVMValueRef value, LLVMValueRef amount);
LLVMValueRef ptx_shift_right(struct ptx_emitter *e, LLVMValueRef value, LLVMValueRef amount);

/* The lowest `count` bits, all of them from the width on. */
LLVMValueRef ptx_low_bits(struct ptx_emitter *e, LLVMValueRef count);

#endif
