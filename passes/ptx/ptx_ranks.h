/*
 * ptx_ranks - which of the integers of a kernel from PTX are addresses, and how likely.
 *
 * From the integers that become pointers the way is gone back over sums, casts, choices and phis.
 * Ranks only say which part of a sum is taken for its base: any choice gives the same address.
 */
#ifndef PTX_RANKS_H
#define PTX_RANKS_H

#include "array.h"
#include "pointer_map.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

/* How likely a value is an address. */
enum ptx_rank {
	PTX_RANK_NUMBER,
	PTX_RANK_PARAMETER, /* of 64 bits: may be */
	PTX_RANK_LOADED,
	PTX_RANK_EVIDENT, /* a parameter that is the only base of an address elsewhere */
	PTX_RANK_ADDRESS, /* known to be one */
};

struct ptx_part {
	LLVMValueRef value;
	LLVMValueRef pointer; /* for who uses the ranks */
	enum ptx_rank rank;
	bool is_evident;
	bool is_marked; /* an address comes over it */
};

struct ptx_ranks {
	struct pointer_map index; /* of a value, in parts */
	struct array parts;       /* struct ptx_part: what comes from others before these */
	struct err *err;
	int failed;
};

/* Add all values that `root` may come from. Failures are noted. */
void ptx_ranks_collect(struct ptx_ranks *f, LLVMValueRef root);

/* Find the ranks, and mark the ways back from the casts' operands, which have been collected. */
void ptx_ranks_find(struct ptx_ranks *f, LLVMValueRef *casts, size_t count);

/* What is known of a value, or NULL. */
struct ptx_part *ptx_ranks_part(const struct ptx_ranks *f, LLVMValueRef value);

/* Whether it is a sum (a mask too); the operand that is its base. */
bool ptx_is_sum(LLVMValueRef value);
unsigned ptx_ranks_base(const struct ptx_ranks *f, LLVMValueRef sum);

/* The operation of an instruction or of a constant expression; 0: neither. */
LLVMOpcode ptx_opcode_of(LLVMValueRef value);

/* What a pointer is without casts between memories and types. */
LLVMValueRef ptx_strip(LLVMValueRef pointer);

#endif
