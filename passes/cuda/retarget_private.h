/* retarget_private - shared by the files that retarget CUDA device code to OpenCL. */
#ifndef RETARGET_PRIVATE_H
#define RETARGET_PRIVATE_H

#include "array.h"
#include "cuda_table.h"
#include "ir_walk.h"
#include "program.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include <stdbool.h>

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

/*
 * retarget_globals.c: the device variables that a kernel uses, and their replacements: hidden
 * arguments, variables in its own local memory, constants of the program.
 */

struct cuda_kernel;
struct err;
struct program;

struct retarget_global {
	LLVMValueRef variable;
	LLVMValueRef replacement; /* of any type; for retarget_globals_replace() */
	bool is_argument, is_dynamic;
};

/* The caller sets the first three. */
struct retarget_globals {
	struct program *program;
	struct cuda_kernel *row; /* of the kernel */
	bool is_late;            /* after retargeting: variables in global memory only */
	struct array list;       /* struct retarget_global */
	bool has_dynamic;
	LLVMValueRef kernel; /* the rebuilt one */
	size_t first;        /* the argument for the first of them; set before they are replaced */
};

/* Find the variables that a function uses. Release with retarget_globals_release(), also on
 * failure. Returns 0, ERR_NOMEM or ERR_LIMIT. */
int retarget_globals_find(struct retarget_globals *g, LLVMValueRef function, struct err *err);
void retarget_globals_release(struct retarget_globals *g);

/* Append the types of the hidden arguments to `types`, and rows for them to the kernel's row.
 * Returns 0, ERR_NOMEM or ERR_LIMIT. */
int retarget_globals_types(const struct retarget_globals *g, struct array *types, struct err *err);

/*
 * In the rebuilt kernel, whose hidden arguments begin at number `first`, replace the variables by
 * the arguments and other replacements. Note the sizes of shared and constant memory in the row,
 * and a refusal when a variable belongs to another file.
 */
int retarget_globals_replace(struct retarget_globals *g, LLVMValueRef kernel, struct err *err);

/*
 * inline_ptx.c: compiles inline PTX of CUDA C++ with the PTX reader.
 *
 * Each asm statement becomes a PTX device function with its operands as registers; it is read
 * (ptx_reader.h), called in place of the statement and inlined. Two kinds are left for
 * cuda_calls.def: statements that name memory, whose address must stay a pointer, and statements
 * that the reader refuses; the reason is noted at the call.
 */

/* Read the inline PTX of all functions of p->module; a stage of retarget.h. Returns 0, ERR_NOMEM,
 * ERR_LIMIT, or ERR_UNSUPPORTED. */
int inline_ptx_read(struct program *p, struct err *err);

/* Why inline assembly was refused, on the heap, or NULL. */
char *inline_ptx_refusal(LLVMValueRef call, struct err *err);

/*
 * The source of inline PTX. Operands are $0, $1, ...: first the outputs, then the inputs, which are
 * the arguments of the call in order. Both strings are on the heap; release with
 * cuda_asm_release().
 */
struct cuda_asm {
	char *text; /* from the source, with each run of white space collapsed to one blank */
	char *constraints; /* "=r,l,n" */
};

/* Get the inline assembly that a call calls. Returns 0 or ERR_NOMEM. */
int cuda_asm_init(struct cuda_asm *a, LLVMValueRef called, struct err *err);

void cuda_asm_release(struct cuda_asm *a);

#endif
