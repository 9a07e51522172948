/*
 * bypass_mark - the note on a load that it is to go past L1: metadata, which LLVM keeps or drops
 * and never acts on.
 */
#ifndef BYPASS_MARK_H
#define BYPASS_MARK_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

struct bypass_mark {
	uint32_t site;
	uint32_t warps; /* warps of a group from this one on; 0: all */
};

void bypass_mark_put(LLVMValueRef load, struct bypass_mark mark);

/* Whether the load has a mark; fills *mark then. */
bool bypass_mark_read(LLVMValueRef load, struct bypass_mark *mark);

#endif
