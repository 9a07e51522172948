/*
 * source_place - where in the source an instruction, or a loop, was written.
 */
#ifndef SOURCE_PLACE_H
#define SOURCE_PLACE_H

#include "kernel_table.h"

#include <llvm-c/Types.h>

struct err;

/*
 * Get the source position of an instruction in *place, and in *chain the *count calls through which
 * it was inlined, innermost first (both NULL: not wanted). The caller owns all strings and the
 * chain; on failure there is nothing to free. Without debug information the place is all zero.
 * Returns 0 or ERR_NOMEM.
 */
int source_place(LLVMValueRef instruction, struct place *place, struct place **chain, size_t *count,
                 struct err *err);

/*
 * Get the source position of the loop with this header and this latch: where clang says that the
 * loop begins, or the header's first instruction. Otherwise as source_place().
 */
int source_place_of_loop(LLVMBasicBlockRef header, LLVMBasicBlockRef latch, struct place *place,
                         struct err *err);

#endif
