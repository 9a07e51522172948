/*
 * nvvm_annotations - what the module's metadata !nvvm.annotations says of functions: which are
 * kernels, and their launch bounds.
 */
#ifndef NVVM_ANNOTATIONS_H
#define NVVM_ANNOTATIONS_H

#include <llvm-c/Types.h>

struct err;

/* Give each function that is noted as a kernel the calling convention of one. Returns 0 or
 * ERR_NOMEM. */
int nvvm_annotations_mark_kernels(LLVMModuleRef module, struct err *err);

/* Note of `to` what is noted of `from`, both of one module. Returns 0 or ERR_NOMEM. */
int nvvm_annotations_copy(LLVMValueRef from, LLVMValueRef to, struct err *err);

#endif
