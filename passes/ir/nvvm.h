/*
 * nvvm - reads of NVPTX's special registers about the launch: the intrinsics
 * llvm.nvvm.read.ptx.sreg.<name>.<x|y|z>.
 */
#ifndef NVVM_H
#define NVVM_H

#include <llvm-c/Types.h>

struct err;

#define SREG_NONE (-1)

/* The dimension 0..2 that an instruction reads of the register `name`, as "ctaid", or SREG_NONE. */
int sreg_dimension(LLVMValueRef instruction, const char *name);

/*
 * Give kernels what NVPTX of every version reads, as !nvvm.annotations notes it: the calling
 * convention and the bounds of the group. Call it once for a module. Returns 0 or ERR_NOMEM.
 */
int nvvm_annotations_apply(LLVMModuleRef module, struct err *err);

/* Note of `to` what is noted of `from`, both of one module. Returns 0 or ERR_NOMEM. */
int nvvm_annotations_copy(LLVMValueRef from, LLVMValueRef to, struct err *err);

#endif
