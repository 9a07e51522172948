/*
 * hidden_argument - gives a kernel one more argument, the last: the buffer that
 * its probes write to.
 */
#ifndef HIDDEN_ARGUMENT_H
#define HIDDEN_ARGUMENT_H

#include <llvm-c/Types.h>

struct err;

/*
 * Make a kernel like `old` with "__global uchar *" appended, move the code into it, and delete
 * `old`. What `old` promised about memory is not promised of the new one. *kernel gets the new
 * function, of the same name. Returns 0, ERR_NOMEM, or ERR_UNSUPPORTED when code that could not be
 * inlined refers to the kernel.
 */
int hidden_argument_append(LLVMValueRef old, LLVMValueRef *kernel, struct err *err);

#endif
