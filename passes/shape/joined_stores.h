/*
 * joined_stores - what both sides of a branch store at one address, as one store where they meet.
 *
 * Compilers for GPUs do that, and it matters: two stores are two instructions of a warp that goes
 * both ways. LLVM's own passes would also make one store, or one load, of those to different
 * addresses, and nobody could tell then which place in the source and which buffer it is of.
 */
#ifndef JOINED_STORES_H
#define JOINED_STORES_H

#include <llvm-c/Types.h>

/* Join them in a function. The one that is left has the place of the first. */
void joined_stores_make(LLVMValueRef function);

#endif
