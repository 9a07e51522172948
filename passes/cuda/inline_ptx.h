/*
 * inline_ptx - compiles inline PTX of CUDA C++ with the PTX reader.
 *
 * Each asm statement becomes a PTX device function with its operands as registers; it is read
 * (ptx_reader.h), called in place of the statement and inlined. Two kinds are left for
 * cuda_calls.def: statements that name memory, whose address must stay a pointer, and statements
 * that the reader refuses; the reason is noted at the call.
 */
#ifndef INLINE_PTX_H
#define INLINE_PTX_H

#include <llvm-c/Types.h>

struct err;
struct program;

/* Read the inline PTX of all functions of p->module; a stage of retarget.h. Returns 0, ERR_NOMEM,
 * ERR_LIMIT, or ERR_UNSUPPORTED. */
int inline_ptx_read(struct program *p, struct err *err);

/* Why inline assembly was refused, on the heap, or NULL. */
char *inline_ptx_refusal(LLVMValueRef call, struct err *err);

/*
 * The source of inline PTX. Operands are $0, $1, ...: first the outputs, then the inputs, which are
 * the arguments of the call in order.
 */

/* Both strings are on the heap; release with cuda_asm_release(). */
struct cuda_asm {
	char *text; /* from the source, with each run of white space collapsed to one blank */
	char *constraints; /* "=r,l,n" */
};

/* Get the inline assembly that a call calls. Returns 0 or ERR_NOMEM. */
int cuda_asm_init(struct cuda_asm *a, LLVMValueRef called, struct err *err);

void cuda_asm_release(struct cuda_asm *a);

#endif
