/*
 * retarget_globals - the device variables that a kernel uses, and their replacements: hidden
 * arguments, variables in its own local memory, constants of the program.
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

#endif
