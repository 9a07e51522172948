/*
 * wide_accesses - makes accesses as wide as GPU instructions: up to 16 bytes, of one, two or four
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
#ifndef WIDE_ACCESSES_H
#define WIDE_ACCESSES_H

#include <llvm-c/Types.h>

struct err;

/* Merge and split the accesses of a function. A merged access has the source position of the first.
 * Returns 0 or ERR_NOMEM. */
int wide_accesses_make(LLVMValueRef function, struct err *err);

#endif
