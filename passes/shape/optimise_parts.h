/*
 * optimise_parts - what optimise.c asks of the files next to it: hints for LLVM's passes, and the
 * width of accesses.
 */
#ifndef OPTIMISE_PARTS_H
#define OPTIMISE_PARTS_H

#include <llvm-c/Types.h>

#include <stdbool.h>

struct err;

/*
 * optimiser_hints.c: what LLVM does not know about GPU memory, or must not use, while it removes
 * accesses from a kernel.
 *
 * - Global and local memory share no address; constant memory does not change.
 * - Nothing moves across a barrier, a fence, or any other call not known to leave memory alone.
 * - `restrict` counts. That an int is not a float must not: nvcc does not use it (optimise.c).
 * - vloadN, vstoreN and functions with several results access what their pointers point to.
 */

/* Add the hints to a kernel; to the declarations in a module. Returns 0 or ERR_NOMEM. */
int optimiser_hints_put(LLVMValueRef kernel, struct err *err);
void optimiser_hints_put_effects(LLVMModuleRef module);

/* Remove all hints. */
void optimiser_hints_remove(LLVMModuleRef module);

/*
 * Which loops test at their end, instead of at their start, whether to continue.
 *
 * Only a loop that tests at its end is certain to execute its body once it is entered, so only
 * there can a load move before the loop. GPU compilers rotate every loop; some runtimes generate
 * slower code for rotated ones, and cope badly with barriers under further conditions. So a loop is
 * left unchanged if it calls something that may change any memory, or unless some load in it
 *
 * - has an address that does not change in the loop, or
 * - reads what the previous iteration accessed, which can be kept.
 */

/* Mark the loops of a kernel that must stay unchanged, so that LLVM's loop-rotate leaves them.
 * Returns 0, ERR_NOMEM or ERR_LIMIT. */
int turned_loops_choose(LLVMValueRef kernel, struct err *err);

/* Remove these marks. */
void turned_loops_end(LLVMModuleRef module);

/*
 * wide_accesses.c: makes accesses as wide as GPU instructions: up to 16 bytes, of one, two or four
 * numbers.
 *
 * Neighbouring accesses are merged, as nvcc does: to members of a structure or array in an aligned
 * piece of 8 or 16 bytes (of bytes and shorts: 2 or 4 of them), if there is a load or store of the
 * first. Loads may span members that are not read, within the enclosing object; stores must have no
 * gap. Only in one straight piece of code, with nothing in between that could make a difference:
 * for loads, a store to the same memory; for stores, any other access.
 *
 * A vector of more than 16 bytes becomes several of 16. Volatile and atomic accesses are unchanged,
 * and so are vectors of up to 16 bytes.
 */

/* Merge and split the accesses of a function. A merged access has the source position of the first.
 * Returns 0 or ERR_NOMEM. */
int wide_accesses_make(LLVMValueRef function, struct err *err);

#endif
