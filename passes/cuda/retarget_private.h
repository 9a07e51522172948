/*
 * retarget_private - what the files that put device code of CUDA into terms of OpenCL share.
 */
#ifndef RETARGET_PRIVATE_H
#define RETARGET_PRIVATE_H

#include "cuda_table.h"
#include "ir_walk.h"
#include "program.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

/* NVPTX's numbers of address spaces, where they differ from SPIR's (kernel_table.h). */
enum { NVPTX_GENERIC = 0, NVPTX_GLOBAL = 1, NVPTX_SHARED = 3, NVPTX_CONSTANT = 4, NVPTX_LOCAL = 5 };

/* Whether a function is a kernel that has its code. */
bool retarget_is_kernel(LLVMValueRef function);

/* ir_walk() over the kernels of a module. */
int retarget_each_kernel(LLVMModuleRef module, ir_visit *visit, void *context, struct err *err);

/* Whether a type is a pointer into the address space. */
bool retarget_is_pointer(LLVMTypeRef type, unsigned space);

/* The alloca that a pointer is an address in, through GEPs and casts, or NULL. */
LLVMValueRef retarget_variable(LLVMValueRef pointer);

/* Rows of p->cuda for the variables of the device; nothing but kernels keeps anything alive. */
int retarget_find_symbols(struct program *p, struct err *err);

/* Each kernel with the arguments that OpenCL can give it, the hidden ones too. */
int retarget_rebuild_kernels(struct program *p, struct err *err);

/* Variables of the kernels into registers; see retarget.h for what stays. */
int retarget_private_memory(struct program *p, struct err *err);

/* LLVM's infer-address-spaces over the kernels, also for volatile accesses, for a machine whose
 * generic pointers are in address space 0. Returns 0 or ERR_UNSUPPORTED. */
int infer_spaces(struct program *p, struct err *err);

/* Each pointer into the memory that it points to; a refusal where it may be several. */
int retarget_spaces(struct program *p, struct err *err);

#endif
