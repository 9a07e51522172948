/*
 * fold_extracts - what is taken out of a structure right after it was put in: that value.
 *
 * clang returns structures whole; pointers in them are seen only without that detour.
 */
#ifndef FOLD_EXTRACTS_H
#define FOLD_EXTRACTS_H

#include <llvm-c/Types.h>

struct err;

/* Replace the instruction if it is such an extractvalue, and set the bool `is_changed` points to.
 * Changes no access. Returns 0. */
int fold_extract(void *is_changed, LLVMValueRef instruction, struct err *err);

#endif
