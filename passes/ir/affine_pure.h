/*
 * affine_pure - which instructions may be computed a second time in another place,
 * given the same operands: those that neither touch memory nor have effects.
 */
#ifndef AFFINE_PURE_H
#define AFFINE_PURE_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

#define AFFINE_OPERANDS_MOST 8

/* How many operands have to be the same, or -1 when it may not be computed again. */
int32_t affine_pure_operands(LLVMValueRef instruction);

/* Whether it may fail for some operands: a division by what is no constant but 0 and -1. */
bool affine_pure_may_trap(LLVMValueRef instruction);

#endif
