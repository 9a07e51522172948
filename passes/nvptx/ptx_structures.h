/*
 * ptx_structures - structures that a kernel of NVPTX is handed by value, made into registers.
 *
 * Such a parameter is memory, so what lies in it would seem to be loaded anew in each iteration of
 * a loop. Structures that are indexed by what is no constant stay as they are.
 */
#ifndef PTX_STRUCTURES_H
#define PTX_STRUCTURES_H

#include <llvm-c/Types.h>

/* Copy what can be copied into variables in the entry, for LLVM to take apart. */
void ptx_structures_copy(LLVMValueRef kernel);

#endif
