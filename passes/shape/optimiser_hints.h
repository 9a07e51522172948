/*
 * optimiser_hints - what LLVM does not know of memory on a GPU, or must not use, while it removes
 * accesses from a kernel.
 *
 * - Global and local memory have no address in common; constant memory does not change.
 * - Nothing passes a barrier, a fence, or any other call that is not known to leave memory alone.
 * - `restrict` counts. That an int is no float must not: nvcc does not use it (optimise.c).
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

/* Remove all of them. */
void optimiser_hints_remove(LLVMModuleRef module);

/*
 * Which loops ask at their end whether they go on, instead of at their start.
 *
 * Only in a loop that asks at its end is what lies in it sure to be passed once it is entered, so
 * only there can a load go before it. Compilers for GPUs turn every loop; some runtimes make
 * slower code of turned ones, and cope badly with barriers under further conditions. So a loop is
 * left unchanged if it calls what may change any memory, and unless a load in it
 * - has an address that does not change in it, or
 * - is of what the iteration before has accessed, which can be kept.
 */

/* Mark the loops of a kernel that are to stay as they are, so that LLVM's loop-rotate leaves them.
 * Returns 0, ERR_NOMEM or ERR_LIMIT. */
int turned_loops_choose(LLVMValueRef kernel, struct err *err);

/* Remove these marks. */
void turned_loops_end(LLVMModuleRef module);

#endif
