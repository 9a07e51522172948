/*
 * expand_copies - copies of structures as the loads and stores that a GPU's compiler makes of them:
 * one for each member where one side is a variable of the work-item, else one for each piece as
 * wide as the alignment of both sides.
 *
 * Of copies whose length is a constant of at most EXPAND_COPIES_BYTES, not volatile, with global,
 * constant or local memory on one side at least. Longer ones stay what they are: compilers make
 * loops of them.
 */
#ifndef EXPAND_COPIES_H
#define EXPAND_COPIES_H

#include <llvm-c/Types.h>

/* As nvcc 13: 128 bytes in a row, more in a loop. */
#define EXPAND_COPIES_BYTES 128u

/* Expand the copies in a function. All that a copy reads is read before anything is written. */
void expand_copies(LLVMValueRef function);

#endif
