/*
 * initial_contents - what a variable of the device holds at first, as bytes and addresses of other
 * variables.
 */
#ifndef INITIAL_CONTENTS_H
#define INITIAL_CONTENTS_H

#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include <stdbool.h>

struct cuda_symbol;
struct err;

/* Whether a constant is made of addresses of variables or functions. */
bool initial_contents_has_addresses(LLVMValueRef constant);

/*
 * Fill in the row's contents and relocations; its `bytes` are set. What is undefined is zero, and
 * so is the address of a function, which no kernel can call. Returns 0; ERR_NOMEM; ERR_LIMIT;
 * ERR_UNSUPPORTED, naming the variable, for an address that is more than a variable and an offset.
 */
int initial_contents_read(struct cuda_symbol *row, LLVMTargetDataRef layout, LLVMValueRef constant,
                          struct err *err);

#endif
