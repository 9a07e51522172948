/*
 * cuda_asm - inline PTX of CUDA programs: what LLVM's C interface of version 14 does not tell of
 * it.
 *
 * Operands are $0, $1, ... in the text: first the outputs, then the inputs, which are the arguments
 * of the call in order.
 */
#ifndef CUDA_ASM_H
#define CUDA_ASM_H

#include <llvm-c/Types.h>

struct err;

/* Both on the heap; release with cuda_asm_release(). */
struct cuda_asm {
	char *text;        /* as in the source, with one blank for each run of white space */
	char *constraints; /* "=r,l,n" */
};

/* Read the inline assembly that a call calls. Returns 0 or ERR_NOMEM. */
int cuda_asm_init(struct cuda_asm *a, LLVMValueRef called, struct err *err);
void cuda_asm_release(struct cuda_asm *a);

#endif
