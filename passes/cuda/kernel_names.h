/*
 * kernel_names - names and types of a kernel's arguments in its source, from debug information; and
 * the metadata kernel_arg_* of an OpenCL kernel.
 *
 * Best effort: without debug information, names are those of the IR and types those of OpenCL.
 */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

#include <llvm-c/Types.h>

#include <stddef.h>

struct cuda_argument;
struct err;

struct kernel_name {
	char *name, *type; /* on the heap; "" when unknown */
};

/* Find the name of parameter `param` of a function that has a body. Returns 0 or ERR_NOMEM. */
int kernel_name_find(struct kernel_name *n, LLVMValueRef param, struct err *err);
void kernel_name_release(struct kernel_name *n);

/* Names for all arguments of a kernel. */
struct kernel_names {
	LLVMValueRef kernel;
	struct kernel_name *arguments;
	size_t count;
};

/* Start with no names. Release with kernel_names_release(). Returns 0 or ERR_NOMEM. */
int kernel_names_init(struct kernel_names *n, LLVMValueRef kernel, struct err *err);
void kernel_names_release(struct kernel_names *n);

/*
 * Set argument i to: the parameter of that name; a word of it ("p+8"); a hidden argument for
 * `symbol` or, if NULL, for dynamic shared memory. Return 0 or ERR_NOMEM.
 */
int kernel_names_set(struct kernel_names *n, size_t i, const struct kernel_name *name,
                     struct err *err);
int kernel_names_set_word(struct kernel_names *n, size_t i, const struct kernel_name *name,
                          const struct cuda_argument *word, struct err *err);
int kernel_names_set_hidden(struct kernel_names *n, size_t i, const char *symbol, struct err *err);

/* Write the kernel's metadata and the names of its arguments. Returns 0 or ERR_NOMEM. */
int kernel_names_apply(const struct kernel_names *n, struct err *err);

#endif
