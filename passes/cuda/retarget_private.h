/* retarget_private - shared by the files that retarget CUDA device code to OpenCL. */
#ifndef RETARGET_PRIVATE_H
#define RETARGET_PRIVATE_H

#include "cuda_table.h"
#include "ir_walk.h"
#include "program.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

/* NVPTX's address-space numbers, which differ from SPIR's (kernel_table.h). */
enum { NVPTX_GENERIC = 0, NVPTX_GLOBAL = 1, NVPTX_SHARED = 3, NVPTX_CONSTANT = 4, NVPTX_LOCAL = 5 };

/* Whether a function is a kernel with a body. */
bool retarget_is_kernel(LLVMValueRef function);

/* Call ir_walk() for each kernel of a module. */
int retarget_each_kernel(LLVMModuleRef module, ir_visit *visit, void *context, struct err *err);

/* Whether a type is a pointer into the address space. */
bool retarget_is_pointer(LLVMTypeRef type, unsigned space);

/* The alloca that a pointer is based on, through GEPs and casts, or NULL. */
LLVMValueRef retarget_variable(LLVMValueRef pointer);

/* Create rows of p->cuda for the device variables; only kernels keep anything alive afterwards. */
int retarget_find_symbols(struct program *p, struct err *err);

/* Give each kernel the arguments that OpenCL can pass, including hidden ones. */
int retarget_rebuild_kernels(struct program *p, struct err *err);

/* Promote variables of the kernels to registers; retarget.h says what stays. */
int retarget_private_memory(struct program *p, struct err *err);

/* Run LLVM's infer-address-spaces over the kernels, also for volatile accesses, for a target whose
 * generic pointers are in address space 0. Returns 0 or ERR_UNSUPPORTED. */
int infer_spaces(struct program *p, struct err *err);

/* Move each pointer into the memory that it points to; refuse where it may be several. */
int retarget_spaces(struct program *p, struct err *err);

#endif
