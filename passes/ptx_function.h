/*
 * ptx_function - the functions of a PTX module: kernels (.entry) and device functions (.func).
 *
 * A kernel takes its parameters as they are: scalars, structs by value. A device function takes
 * for its results and parameters the addresses where the caller keeps them, and is inlined.
 */
#ifndef PTX_FUNCTION_H
#define PTX_FUNCTION_H

#include "ptx_emit.h"

#define PTX_PARAMETERS_MOST 4096

struct ptx_function {
	struct ptx_word name;
	size_t line;
	bool is_entry, has_body;
	LLVMValueRef value;
	size_t first_parameter; /* of `parameters`: results first */
	uint32_t parameter_count, result_count;
	uint64_t max_threads[3], required_threads[3]; /* 0: not told */
	uint64_t min_groups;
	char *refusal; /* on the heap, or NULL */
};

/*
 * Read a function from behind .entry or .func on: its head, and its body if it has one. Refusals
 * are noted in it. 0, ERR_FORMAT, ERR_LIMIT or ERR_NOMEM.
 */
int ptx_function_read(struct ptx_emitter *e, struct ptx_scan *s, bool is_entry);

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
