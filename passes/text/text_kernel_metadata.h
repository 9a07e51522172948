/* text_kernel_metadata - what metadata of a kernel says about its arguments and its launches. */
#ifndef TEXT_KERNEL_METADATA_H
#define TEXT_KERNEL_METADATA_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>

/*
 * String `index` of the metadata `kind` ("kernel_arg_type_qual") in `text`, cut at `size`; false
 * when there is none.
 */
bool text_kernel_metadata(LLVMValueRef function, const char *kind, unsigned index, char *text,
                          size_t size);

/*
 * Operand `index` of the metadata `kind` ("reqd_work_group_size"): a constant, or NULL. Borrowed.
 */
LLVMValueRef text_kernel_metadata_value(LLVMValueRef function, const char *kind, unsigned index);

#endif
