/*
 * marking - putting marks before one instruction, for the steps that find accesses: what to record
 * and where the mark goes.
 */
#ifndef MARKING_H
#define MARKING_H

#include "kernel_table.h"

#include <llvm-c/Types.h>

#include <stdbool.h>

struct err;

struct marking {
	LLVMModuleRef module;
	uint32_t spaces; /* memories that are recorded (space_set.h) */
	bool has_copies; /* functions of compat.cl have been called */
};

/* Whether accesses through a value, a pointer or not, are recorded. */
bool marking_takes(const struct marking *m, LLVMValueRef pointer);

/* A mark before `access` if its memory is recorded: of `bytes` bytes; of a value of `type`; of
 * what the pointer points to. */
void marking_put(const struct marking *m, LLVMValueRef access, enum site_kind kind,
                 LLVMValueRef pointer, LLVMValueRef bytes);
void marking_put_typed(const struct marking *m, LLVMValueRef access, enum site_kind kind,
                       LLVMValueRef pointer, LLVMTypeRef type);
void marking_put_pointee(const struct marking *m, LLVMValueRef access, enum site_kind kind,
                         LLVMValueRef pointer);

/* A number as i64. */
LLVMValueRef marking_number(const struct marking *m, uint64_t value);

/* The marks of a call of a declared function by the table of builtins. ERR_UNSUPPORTED. */
int marking_builtin(struct marking *m, LLVMValueRef call, const char *symbol, struct err *err);

#endif
