/*
 * cuda_string - strings that the program has as constants: found behind a pointer, and put into
 * constant memory, where OpenCL's printf() wants them.
 */
#ifndef CUDA_STRING_H
#define CUDA_STRING_H

#include <llvm-c/Types.h>

struct cuda_call;

/*
 * The text that a pointer to a constant variable points to, NUL-terminated, in storage of the
 * module's; NULL when it is not that, or has no end.
 */
const char *cuda_string_find(LLVMValueRef pointer);

/* A pointer to the text as a constant of the module (i8 addrspace(2)*). */
LLVMValueRef cuda_string_make(struct cuda_call *c, const char *text);

/*
 * A string pointer's copy in constant memory: of a constant, or of one of two that a condition
 * chooses. NULL when it is anything else.
 */
LLVMValueRef cuda_string_copy(struct cuda_call *c, LLVMValueRef pointer);

#endif
