/*
 * constant_expand - replaces variables in a kernel, also where constants are made of their
 * addresses: those become instructions.
 */
#ifndef CONSTANT_EXPAND_H
#define CONSTANT_EXPAND_H

#include <llvm-c/Types.h>

#include <stddef.h>

struct err;
struct retarget_global;

/*
 * Put `replacement` in the place of each `variable` of the list all over a function. Where the two
 * are in different memories, so is what is made of the address; an instruction that needs the old
 * memory gets it by a cast. Returns 0 or ERR_UNSUPPORTED for a constant of a kind that addresses
 * are not known to be in.
 */
int constant_expand(LLVMValueRef function, const struct retarget_global *list, size_t count,
                    struct err *err);

#endif
