/*
 * optimiser_hints - what LLVM does not know of memory on a GPU, or must not use, while it removes
 * accesses from a kernel.
 *
 * - Global and local memory have no address in common; constant memory does not change.
 * - Nothing passes a barrier, a fence, or any other call that is not known to leave memory alone.
 * - `restrict` counts. That an int is no float must not: nvcc does not use it (access_notes.h).
 * - vloadN, vstoreN and functions with several results touch what their pointers point to.
 */
#ifndef OPTIMISER_HINTS_H
#define OPTIMISER_HINTS_H

#include <llvm-c/Types.h>

#include <stdbool.h>

struct err;

/* Put them into a kernel; into a module, whose functions are declared. Returns 0 or ERR_NOMEM. */
int optimiser_hints_put(LLVMValueRef kernel, struct err *err);
void optimiser_hints_put_effects(LLVMModuleRef module);

/* Whether an instruction is a call that may change any memory, or order accesses to it. */
bool optimiser_hints_is_unknown(LLVMValueRef instruction);

/* Remove all of them. */
void optimiser_hints_remove(LLVMModuleRef module);

#endif
