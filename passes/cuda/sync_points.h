/*
 * sync_points - the calls of a kernel at which its work-items wait for one another:
 * warpline_cuda_sync(), warpline_cuda_group_sync() and OpenCL's barrier().
 */
#ifndef SYNC_POINTS_H
#define SYNC_POINTS_H

#include "array.h"

#include <llvm-c/Types.h>

#include <stdbool.h>

struct err;
struct kernel_flow;

/* The operands of a call, each an i32 except value, an i64. */
struct sync_operands {
	LLVMValueRef kind, mask, value, argument;
};

/* Append the calls of a function as LLVMValueRef. Returns 0, ERR_NOMEM or ERR_LIMIT. */
int sync_points_find(LLVMValueRef function, struct array *calls, struct err *err);

/* Whether the call is OpenCL's barrier(). */
bool sync_point_is_barrier(LLVMValueRef call);

/* Read the present operands. */
void sync_point_read(LLVMValueRef call, struct sync_operands *operands);

/* The kinds that a call, or several calls, may have: a bit for each, an i32. */
LLVMValueRef sync_point_kinds(LLVMValueRef call);
LLVMValueRef sync_points_kinds(const struct array *calls, LLVMContextRef context);

/*
 * Whether all work-items of a group reach each of the calls equally often, as far as the code shows
 * (struct uniform_values), and under no condition except those of surrounding loops: barriers in
 * the arms of an `if` are correct by OpenCL's specification, but not on every CPU. Returns 0,
 * ERR_NOMEM or ERR_LIMIT.
 */
int sync_points_are_even(LLVMValueRef function, const struct array *calls, bool *are_even,
                         struct err *err);

#endif
