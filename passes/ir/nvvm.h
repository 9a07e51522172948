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

/* Give each function that is noted as a kernel the calling convention of one. Returns 0 or
 * ERR_NOMEM. */
int nvvm_annotations_mark_kernels(LLVMModuleRef module, struct err *err);

/* Note of `to` what is noted of `from`, both of one module. Returns 0 or ERR_NOMEM. */
int nvvm_annotations_copy(LLVMValueRef from, LLVMValueRef to, struct err *err);

#endif
