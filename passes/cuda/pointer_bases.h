/*
 * pointer_bases - which memory a generic pointer of device code is into, by where it comes from.
 *
 * Looks through address arithmetic, casts, phis and selects; loads and calls are unknown, they have
 * been given a cast (retarget_spaces.c).
 */
#ifndef POINTER_BASES_H
#define POINTER_BASES_H

#include <llvm-c/Types.h>

#include <stdbool.h>

/*
 * The one memory (kernel_table.h) that the pointer is into, whatever way it came; a null pointer
 * may be into any. False when they are several, none, or unknown, and when the ways are too many.
 */
bool pointer_bases_space(LLVMValueRef pointer, unsigned *space);

/* All memories that it may be into, as bits; 0 when one is unknown, or it is only null. */
unsigned pointer_bases_set(LLVMValueRef pointer);

#endif
