/*
 * source_place - where in the source an instruction, or a loop, was written.
 */
#ifndef SOURCE_PLACE_H
#define SOURCE_PLACE_H

#include "kernel_table.h"

#include <llvm-c/Types.h>

struct err;

/*
 * The place of an instruction in *place, the calls that it was inlined through in *chain,
 * innermost first (*count of them; NULL: not wanted). All strings and the chain are on the heap
 * and the caller's; on failure nothing is. Without debug information the place is all zero.
 * Returns 0 or ERR_NOMEM.
 */
int source_place(LLVMValueRef instruction, struct place *place, struct place **chain, size_t *count,
                 struct err *err);

/*
 * The place of the loop with this header and this node that jumps back to it: where clang says
 * that the loop begins, or that of the header's first instruction. As above.
 */
int source_place_of_loop(LLVMBasicBlockRef header, LLVMBasicBlockRef latch, struct place *place,
                         struct err *err);

#endif
