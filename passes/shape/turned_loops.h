/*
 * turned_loops - which loops ask at their end whether they go on, instead of at their start.
 *
 * Only in a loop that asks at its end is what lies in it sure to be passed once it is entered, so
 * only there can a load go before it. Compilers for GPUs turn every loop; some runtimes make
 * slower code of turned ones, and cope badly with barriers under further conditions. So a loop is
 * left as it is if it calls what may change any memory, and unless a load in it
 * - has an address that does not change in it, or
 * - is of what the iteration before has accessed, which can be kept.
 */
#ifndef TURNED_LOOPS_H
#define TURNED_LOOPS_H

#include <llvm-c/Types.h>

struct err;

/* Mark the loops of a kernel that are to stay as they are, so that LLVM's loop-rotate leaves them.
 * Returns 0, ERR_NOMEM or ERR_LIMIT. */
int turned_loops_choose(LLVMValueRef kernel, struct err *err);

/* Remove these marks. */
void turned_loops_end(LLVMModuleRef module);

#endif
