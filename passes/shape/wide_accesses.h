/*
 * wide_accesses - accesses as wide as a GPU has instructions for: up to 16 bytes, one, two or four
 * numbers at once.
 *
 * Neighbours become one: members of a structure or an array that lie in an aligned piece of 8 or 16
 * bytes (of bytes and shorts: 2 or 4 of them), where a load or store of the first is there, as nvcc
 * has it. Loads also across and past members that are not read, inside what they are members of;
 * stores only without a gap. Only in one straight piece of code, with nothing between them that
 * could make a difference: for loads, a store to the same memory; for stores, any other access.
 *
 * A vector of more than 16 bytes becomes several of 16. Volatile and atomic accesses stay as they
 * are, and so do vectors of up to 16 bytes.
 */
#ifndef WIDE_ACCESSES_H
#define WIDE_ACCESSES_H

#include <llvm-c/Types.h>

struct err;

/* Make them in a function. What is joined has the place of the first. Returns 0 or ERR_NOMEM. */
int wide_accesses_make(LLVMValueRef function, struct err *err);

#endif
