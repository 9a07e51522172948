/*
 * generic_pointers - pointers of device code that are into constant or local memory by their type
 * become generic ones, so that all pointers are told apart in one way (infer_spaces.h).
 *
 * NVPTX numbers these memories otherwise than SPIR, and types of values are fixed. clang has such
 * pointers only right at variables, the reader of PTX wherever PTX names a memory.
 */
#ifndef GENERIC_POINTERS_H
#define GENERIC_POINTERS_H

#include <llvm-c/Types.h>

struct err;

/*
 * In one function: address arithmetic, casts, phis, selects, accesses. What is a cast from a
 * pointer into SPIR's constant memory shows as one. Returns 0 or ERR_NOMEM.
 */
int generic_pointers_make(LLVMValueRef function, struct err *err);

#endif
