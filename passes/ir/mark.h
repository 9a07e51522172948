/*
 * mark - a call placed before an access when the access is found, and replaced by its probe later.
 *
 * Marks are inserted before the code is cleaned: a call with unknown effects pins its position and
 * operands, whatever LLVM later does to the access. So the recorded accesses are those of the
 * source. A mark is the call
 *
 *   warpline.mark.<space>(i32 kind, i8 addrspace(space)* pointer, i64 bytes)
 *
 * at the source position of its access. Barriers and fences are marked in space 1 with a null
 * pointer and their flags (CLK_..._MEM_FENCE) in `bytes`.
 */
#ifndef MARK_H
#define MARK_H

#include "kernel_table.h"

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

/* POCL 3.1 aborts or hangs on a large kernel with barriers under conditions (seen with 168 sites),
 * with or without probes, once its control flow differs from what its own front end generates. */
#define MARK_FRAGILE_SITES 64

struct mark {
	enum site_kind kind;
	LLVMValueRef pointer; /* any pointer type when inserted; i8 addrspace(n)* when read */
	LLVMValueRef bytes;   /* i64, constant or not */
};

/* The function that marks of that space call; for code that makes its own marks (compat.cl). */
LLVMValueRef mark_declare(LLVMModuleRef module, unsigned space);

/* Insert a mark before the instruction `access`, at its source position. */
void mark_put(LLVMValueRef access, const struct mark *mark);

/* Whether an instruction is a mark; if so, fills *mark. */
bool mark_read(LLVMValueRef instruction, struct mark *mark);

/* The number of marks in a function. */
size_t mark_count(LLVMValueRef function);

/* Remove the marks of local memory from a function. */
void mark_erase_local(LLVMValueRef function);

/* Remove all remaining marks from the module. */
void mark_erase_all(LLVMModuleRef module);

/*
 * The note on a load that it is to bypass L1: metadata, which LLVM keeps or drops but never acts
 * on.
 */

struct bypass_mark {
	uint32_t site;
	uint32_t warps; /* the first warp of a group that bypasses; 0: all do */
};

void bypass_mark_put(LLVMValueRef load, struct bypass_mark mark);

/* Whether the load has a bypass mark; if so, fills *mark. */
bool bypass_mark_read(LLVMValueRef load, struct bypass_mark *mark);

#endif
