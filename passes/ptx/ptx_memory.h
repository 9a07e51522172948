/*
 * ptx_memory - addresses in PTX instructions as LLVM pointers.
 */
#ifndef PTX_MEMORY_H
#define PTX_MEMORY_H

#include "ptx_emit.h"

/*
 * The address as a pointer to `type` in the memory that the instruction names. Undefined, with a
 * refusal, for what is none.
 */
LLVMValueRef ptx_address(struct ptx_emitter *e, const struct ptx_step *s,
                         const struct ptx_operand *o, LLVMTypeRef type);

#endif
