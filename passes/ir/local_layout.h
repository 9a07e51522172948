/*
 * local_layout - where things lie in the local memory of a work-group, alike on every device.
 *
 * The variables of a kernel lie one after another from 0 on, in the order of the module, each at a
 * multiple of its alignment. What a pointer argument points to counts from 0 by itself.
 */
#ifndef LOCAL_LAYOUT_H
#define LOCAL_LAYOUT_H

#include <llvm-c/Types.h>

#include <stddef.h>
#include <stdint.h>

struct err;

struct local_variable {
	LLVMValueRef variable;
	uint64_t offset_bytes;
};

struct local_layout {
	struct local_variable *variables;
	size_t count;
	uint64_t bytes; /* of them all */
};

/* Lay out the local variables that `function` uses; release in any case. Returns 0 or ERR_NOMEM. */
int local_layout_init(struct local_layout *l, LLVMValueRef function, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void local_layout_release(struct local_layout *l);

/*
 * A pointer that is the offset at which `pointer` points, built before `instruction`; `base` is the
 * variable or argument that it comes from, NULL when that is not known: then it is `pointer`
 * itself.
 */
LLVMValueRef local_layout_pointer(const struct local_layout *l, LLVMValueRef instruction,
                                  LLVMValueRef pointer, LLVMValueRef base);

#endif
