/*
 * cuda_refusal - a kernel of CUDA that cannot become an OpenCL kernel: why, and at which place.
 *
 * The first reason stays. Such a kernel is taken out of the code once it has its form
 * (retarget.h); the others go on.
 */
#ifndef CUDA_REFUSAL_H
#define CUDA_REFUSAL_H

#include <llvm-c/Types.h>

struct err;
struct program;

/*
 * Note in the program's CUDA table that the kernel in which `instruction` stands is refused:
 * "FILE:LINE: WHAT", without the place where the instruction has none; the place is the innermost
 * that lies in a file of the program. Returns 0, ERR_NOMEM.
 */
int cuda_refuse(struct program *p, LLVMValueRef instruction, struct err *err, const char *what, ...)
	__attribute__((format(printf, 4, 5)));

/* That sentence, on the heap, for an instruction of `kernel` that need not have a name yet. */
char *cuda_refusal_text(LLVMValueRef instruction, LLVMValueRef kernel, struct err *err,
                        const char *what, ...) __attribute__((format(printf, 4, 5)));

#endif
