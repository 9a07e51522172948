/*
 * cuda_memory - which memory a generic pointer of CUDA points into, by where it comes from.
 *
 * Walks back over address arithmetic, casts, phis and selects; generic is address space 0, as in
 * NVPTX, and also 4, as in SPIR.
 */
#ifndef CUDA_MEMORY_H
#define CUDA_MEMORY_H

#include <llvm-c/Types.h>

#include <stdbool.h>

struct cuda_call;

/* Whether it comes from a variable of the function. */
bool cuda_memory_is_private(LLVMValueRef pointer);

/* The memory that it points into: SPACE_PRIVATE for a variable of the function's; where that does
 * not show, SPACE_GLOBAL. */
unsigned cuda_memory_of(LLVMValueRef pointer);

/*
 * The pointer, cast to the memory that it points into, which is *space: SPACE_LOCAL where it comes
 * from there on all ways; its own when it has one; else SPACE_GLOBAL.
 */
LLVMValueRef cuda_memory_pointer(struct cuda_call *c, LLVMValueRef pointer, unsigned *space);

#endif
