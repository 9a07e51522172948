/*
 * ptx_function - the functions of a PTX module: kernels (.entry) and device functions (.func).
 *
 * A kernel takes its parameters as they are: scalars, structs by value. A device function takes
 * for its results and parameters the addresses where the caller keeps them, and is inlined.
 */
#ifndef PTX_FUNCTION_H
#define PTX_FUNCTION_H

#include "ptx_emit.h"

struct ptx_function {
	struct ptx_head head;
	LLVMValueRef value;
	char *refusal; /* on the heap, or NULL */
};

/* Enter a function whose head is read, and read its body if it has one. Refusals are noted in it.
 * 0, ERR_FORMAT, ERR_LIMIT or ERR_NOMEM. */
int ptx_function_read(struct ptx_emitter *e, struct ptx_scan *s, const struct ptx_head *head);

/* Declare a variable in the body of the function. */
void ptx_function_declare(struct ptx_emitter *e, const struct ptx_variable *v);

/* The i-th parameter, results counted first. */
const struct ptx_variable *ptx_function_parameter(const struct ptx_emitter *e,
                                                  const struct ptx_function *f, uint32_t i);

/* Tell LLVM that the i-th parameter of a kernel is a struct by value, if it is one. */
void ptx_function_describe_parameter(struct ptx_emitter *e, const struct ptx_function *f,
                                     uint32_t i);

/* Device functions that are refused refuse what calls them. ERR_NOMEM or 0. */
int ptx_function_spread_refusals(struct ptx_emitter *e);

void ptx_function_release(struct ptx_function *f);

/* The list that .branchtargets gives this name, or NULL. */
const struct ptx_statement *ptx_targets(struct ptx_emitter *e, const struct ptx_step *s,
                                        struct ptx_word name);

#endif
