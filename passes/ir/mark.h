/*
 * mark - a call that stands before an access from the moment it is found to the
 * moment its probe is put in.
 *
 * Marks are put before the code is cleaned: a call with unknown effects pins its
 * place and its operands, whatever LLVM does to the access after it. So what is
 * recorded is what the source says. A mark is the call
 *
 *   warpline.mark.<space>(i32 kind, i8 addrspace(space)* pointer, i64 bytes)
 *
 * at the source position of its access. Barriers and fences are marked in space
 * 1 with a null pointer and their flags (CLK_..._MEM_FENCE) in `bytes`.
 */
#ifndef MARK_H
#define MARK_H

#include "kernel_table.h"

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

/* POCL 3.1 aborts or hangs on a large kernel with barriers under conditions (seen with 168 sites),
 * with probes or without, once its control flow is not just what its own front end made of it. */
#define MARK_FRAGILE_SITES 64

struct mark {
	enum site_kind kind;
	LLVMValueRef pointer; /* of any pointer type when put; i8 addrspace(n)* when read */
	LLVMValueRef bytes;   /* i64, constant or not */
};

/* The function of that space, which marks call; for code that makes its marks itself (compat.cl).
 */
LLVMValueRef mark_declare(LLVMModuleRef module, unsigned space);

/* Put a mark before `access`, an instruction, at its source position. */
void mark_put(LLVMValueRef access, const struct mark *mark);

/* Whether an instruction is a mark; fills *mark then. */
bool mark_read(LLVMValueRef instruction, struct mark *mark);

/* How many marks there are in a function. */
size_t mark_count(LLVMValueRef function);

/* Take those of local memory out of a function. */
void mark_erase_local(LLVMValueRef function);

/* Take every mark that is left out of the module. */
void mark_erase_all(LLVMModuleRef module);

/*
 * The note on a load that it is to go past L1: metadata, which LLVM keeps or drops and never acts
 * on.
 */

struct bypass_mark {
	uint32_t site;
	uint32_t warps; /* warps of a group from this one on; 0: all */
};

void bypass_mark_put(LLVMValueRef load, struct bypass_mark mark);

/* Whether the load has a mark; fills *mark then. */
bool bypass_mark_read(LLVMValueRef load, struct bypass_mark *mark);

#endif
