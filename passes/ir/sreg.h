/*
 * sreg - reads of NVPTX's special registers about the launch: the intrinsics
 * llvm.nvvm.read.ptx.sreg.<name>.<x|y|z>.
 */
#ifndef SREG_H
#define SREG_H

#include <llvm-c/Types.h>

#define SREG_NONE (-1)

/* The dimension 0..2 that an instruction reads of the register `name`, as "ctaid", or SREG_NONE. */
int sreg_dimension(LLVMValueRef instruction, const char *name);

#endif
