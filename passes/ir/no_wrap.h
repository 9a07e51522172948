/*
 * no_wrap - whether an addition, subtraction, product or shift carries the source's promise that it
 * does not wrap: LLVM's flags nsw (as signed numbers) and nuw (as unsigned ones).
 *
 * LLVM 14's C interface cannot be asked for them, so a copy of the instruction alone is printed and
 * read, in a module of its own.
 */
#ifndef NO_WRAP_H
#define NO_WRAP_H

#include <llvm-c/Types.h>

#include <stdbool.h>

struct no_wrap {
	LLVMModuleRef module; /* where copies are printed */
	LLVMBuilderRef b;
};

/* Begin for a context. Release with no_wrap_release(). */
void no_wrap_init(struct no_wrap *n, LLVMContextRef context);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void no_wrap_release(struct no_wrap *n);

/* Whether `instruction`, an operation on two integers, has the flag nsw, or nuw if unsigned. */
bool no_wrap_has(const struct no_wrap *n, LLVMValueRef instruction, bool is_unsigned);

#endif
