/*
 * retarget_globals - variables of the device that a kernel uses, and what stands for them in it:
 * hidden arguments, variables in local memory of its own, constants of the program.
 */
#ifndef RETARGET_GLOBALS_H
#define RETARGET_GLOBALS_H

#include "array.h"

#include <llvm-c/Types.h>

#include <stdbool.h>

struct cuda_kernel;
struct err;
struct program;

struct retarget_global {
	LLVMValueRef variable;
	LLVMValueRef replacement; /* of any type; in retarget_globals_replace() */
	bool is_argument, is_dynamic;
};

/* The first three are the caller's to set. */
struct retarget_globals {
	struct program *program;
	struct cuda_kernel *row; /* of the kernel */
	bool is_late;            /* after retargeting: variables in global memory only */
	struct array list;       /* struct retarget_global */
	bool has_dynamic;
	LLVMValueRef kernel; /* the rebuilt one */
	size_t first;        /* its argument for the first of them; set before they are replaced */
};

/* Find what a function uses. Release with retarget_globals_release(), also when this fails. Returns
 * 0, ERR_NOMEM or ERR_LIMIT. */
int retarget_globals_find(struct retarget_globals *g, LLVMValueRef function, struct err *err);
void retarget_globals_release(struct retarget_globals *g);

/* Append the types of the hidden arguments to `types`, and their rows to the kernel's. */
int retarget_globals_types(const struct retarget_globals *g, struct array *types, struct err *err);

/*
 * In the rebuilt kernel, in which arguments of these types begin at number `first`, put the
 * arguments and what else stands for variables in their place; note in the row what shared and
 * constant memory there is, and a refusal where a variable is another file's.
 */
int retarget_globals_replace(struct retarget_globals *g, LLVMValueRef kernel, struct err *err);

#endif
