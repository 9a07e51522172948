/*
 * ptx_memory - addresses in PTX instructions as LLVM pointers.
 */
#ifndef PTX_MEMORY_H
#define PTX_MEMORY_H

#include "ptx_emit.h"

/*
 * PTX's variables as variables of the LLVM module.
 *
 * All are arrays of bytes; with addresses among their initial values, packed structs of bytes and
 * pointers. Those of a size of 0 that are .extern .shared are the launch's dynamic shared memory.
 */

/* LLVM's address space of PTX's. */
unsigned ptx_llvm_space(enum ptx_space space);

/* Add a variable, whose initial values are in `initials`, to the module and to the symbols. */
void ptx_global_add(struct ptx_emitter *e, const struct ptx_variable *v,
                    const struct array *initials);

#endif
