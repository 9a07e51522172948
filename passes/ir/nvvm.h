/*
 * nvvm - NVPTX's special registers about the launch, llvm.nvvm.read.ptx.sreg.<name>.<x|y|z>, and
 * annotations of functions (nvvm.annotations).
 */
#ifndef NVVM_H
#define NVVM_H

#include <llvm-c/Types.h>

struct err;

#define SREG_NONE (-1)

/* The dimension 0..2 of the register `name` (such as "ctaid") that an instruction reads, or
 * SREG_NONE. */
int sreg_dimension(LLVMValueRef instruction, const char *name);

/*
 * Give kernels what every version of NVPTX reads, from !nvvm.annotations: the calling convention
 * and the bounds of the group. Kernels have code and return nothing. Returns 0 or ERR_NOMEM.
 */
int nvvm_annotations_apply(LLVMModuleRef module, struct err *err);

/* Copy the annotations of `from` to `to`; both are in one module. Returns 0 or ERR_NOMEM. */
int nvvm_annotations_copy(LLVMValueRef from, LLVMValueRef to, struct err *err);

#endif
