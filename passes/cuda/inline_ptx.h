/*
 * inline_ptx - inline PTX of CUDA C++ as code, by the reader of PTX.
 *
 * Each asm statement becomes a device function of PTX, with its operands as registers, which is
 * read (ptx_reader.h), called in its place and inlined. Left for cuda_calls.def are those that name
 * memory, whose address must stay a pointer, and those that the reader refuses: why is noted at
 * the call.
 */
#ifndef INLINE_PTX_H
#define INLINE_PTX_H

#include <llvm-c/Types.h>

struct err;
struct program;

/* Read those of all functions of p->module, a stage of retarget.h. Returns 0, ERR_NOMEM, ERR_LIMIT,
 * or ERR_UNSUPPORTED. */
int inline_ptx_read(struct program *p, struct err *err);

/* Why a call of inline assembly was refused, on the heap, or NULL. */
char *inline_ptx_refusal(LLVMValueRef call, struct err *err);

/*
 * The text of inline PTX. Operands are $0, $1, ... in the text: first the outputs, then the inputs,
 * which are the arguments of the call in order.
 */

/* Both on the heap; release with cuda_asm_release(). */
struct cuda_asm {
	char *text;        /* as in the source, with one blank for each run of white space */
	char *constraints; /* "=r,l,n" */
};

/* Read the inline assembly that a call calls. Returns 0 or ERR_NOMEM. */
int cuda_asm_init(struct cuda_asm *a, LLVMValueRef called, struct err *err);

void cuda_asm_release(struct cuda_asm *a);

#endif
