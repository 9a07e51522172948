/*
 * kernel_arguments - a kernel's arguments, from its metadata and types.
 */
#ifndef KERNEL_ARGUMENTS_H
#define KERNEL_ARGUMENTS_H

#include "kernel_table.h"

#include <llvm-c/Types.h>

struct err;

/*
 * Fill table->arguments from `function`: name, type and space. is_written is true for images that
 * are not read_only, false for everything else. Returns 0 or ERR_NOMEM.
 */
int kernel_arguments_fill(struct kernel_table *table, LLVMValueRef function, struct err *err);

#endif
