/*
 * pointer_origin - which kernel arguments a pointer may come from, found by walking back through
 * address arithmetic, casts, phis, selects and to_global().
 *
 * Flow through memory is not followed: a pointer that was loaded, or made from an integer, has an
 * unknown origin.
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
	bool *from; /* per kernel argument: the pointer may come from it; arguments that point into
	               another memory than the pointer do not count */
	size_t argument_count;
	bool is_global_known; /* it may come from a variable in global memory */
	bool is_unknown;      /* it may come from anywhere */
	bool has_bases;       /* it may come from several arguments or variables */
	uint32_t spaces;      /* bit n: it may point into memory n (enum address_space) */
	unsigned space;       /* memory of the pointer itself, by its type */
	LLVMValueRef base;    /* the first argument or variable found, or NULL */
};

/* Allocate for the arguments of `function`; release with pointer_origin_release(). Returns 0 or
 * ERR_NOMEM. */
int pointer_origin_init(struct pointer_origin *o, LLVMValueRef function, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void pointer_origin_release(struct pointer_origin *o);

/* Find the origins of `pointer`; replaces the previous result. Returns 0 or ERR_NOMEM. */
int pointer_origin_find(struct pointer_origin *o, LLVMValueRef pointer, struct err *err);

/* The only argument or variable that the pointer can come from, or NULL. */
LLVMValueRef pointer_origin_base(const struct pointer_origin *o);

/* The only argument that the pointer can come from, or -1. */
int32_t pointer_origin_argument(const struct pointer_origin *o);

#endif
