/*
 * ptx_memory - addresses in PTX instructions as LLVM pointers.
 */
#ifndef PTX_MEMORY_H
#define PTX_MEMORY_H

#include "ptx_emit.h"

/*
 * PTX's variables as variables of the LLVM module.
 *
 * All are arrays of bytes; if initial values contain addresses, packed structs of bytes and
 * pointers. .extern .shared variables of size 0 are the launch's dynamic shared memory.
 */

/* LLVM's number of a PTX address space. */
unsigned ptx_llvm_space(enum ptx_space space);

/* Add a variable, with the initial values in `initials`, to the module and the symbols. */
void ptx_global_add(struct ptx_emitter *e, const struct ptx_variable *v,
                    const struct array *initials);

#endif
