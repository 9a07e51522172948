/*
 * ptx_mend - what LLVM 14's NVPTX back end writes wrongly or not at all, in terms of what it writes
 * rightly: matches of 64 bits, whose result it thinks to have 64 too; variables that begin as a
 * pointer into another one.
 */
#ifndef PTX_MEND_H
#define PTX_MEND_H

#include <llvm-c/Types.h>

/* Mend all of a module for NVPTX. */
void ptx_mend(LLVMModuleRef module);

#endif
