/*
 * unrecorded_calls - calls that touch memory in a way that no site stands for,
 * and what a kernel may write to.
 */
#ifndef UNRECORDED_CALLS_H
#define UNRECORDED_CALLS_H

#include "array.h"
#include "kernel_table.h"
#include "pointer_origin.h"

#include <llvm-c/Types.h>

struct err;

/* Append {what, place of the instruction} to an array of struct unrecorded. ERR_NOMEM, ERR_LIMIT.
 */
int unrecorded_add(struct array *unrecorded, const char *what, LLVMValueRef instruction,
                   struct err *err);

/* A write through a pointer of this origin: note it in arguments[].is_written, writes_unknown. */
void unrecorded_note_write(struct kernel_table *table, const struct pointer_origin *origin);

/*
 * If `instruction` is a call with effects that no mark stands for, append what it is, note what
 * it may write and whether launches stay repeatable. `origin` is scratch of the caller's.
 * Returns 0, ERR_NOMEM or ERR_LIMIT.
 */
int unrecorded_look(LLVMValueRef instruction, struct kernel_table *table,
                    struct pointer_origin *origin, struct array *unrecorded, struct err *err);

#endif
