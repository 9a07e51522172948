/*
 * pointer_origin - which kernel arguments a pointer may come from, found by
 * walking back over address arithmetic, casts, phis, selects and to_global().
 *
 * Flow through memory is not followed: a pointer that was loaded, or made of an
 * integer, is of unknown origin.
 */
#ifndef POINTER_ORIGIN_H
#define POINTER_ORIGIN_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct pointer_origin {
	LLVMModuleRef module;
	bool *from; /* per argument of the kernel: the pointer may come from it; arguments that
	               point into another memory than the pointer does not count */
	size_t argument_count;
	bool is_global_known; /* it may come from a variable in global memory */
	bool is_unknown;      /* it may come from anywhere */
	bool has_bases;       /* it may come from several arguments or variables */
	uint32_t spaces;      /* bit n: it may point into memory n, an enum address_space */
	unsigned space;       /* memory of the pointer itself, by its type */
	LLVMValueRef base;    /* the first argument or variable found, NULL: none */
};

/* Make room for the arguments of `function`; release with pointer_origin_release(). ERR_NOMEM. */
int pointer_origin_init(struct pointer_origin *o, LLVMValueRef function, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void pointer_origin_release(struct pointer_origin *o);

/* Find the origins of `pointer`, forgetting those of before. Returns 0 or ERR_NOMEM. */
int pointer_origin_find(struct pointer_origin *o, LLVMValueRef pointer, struct err *err);

/* The one argument or variable that the pointer surely comes from, or NULL. */
LLVMValueRef pointer_origin_base(const struct pointer_origin *o);

/* The one argument that the pointer surely comes from, or -1. */
int32_t pointer_origin_argument(const struct pointer_origin *o);

#endif
