/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_ranks.h"

#include "err.h"

#include <llvm-c/Core.h>

#include <stdint.h>

LLVMOpcode ptx_opcode_of(LLVMValueRef value)
{
	if (LLVMIsAInstruction(value))
		return LLVMGetInstructionOpcode(value);
	if (LLVMIsAConstantExpr(value))
		return LLVMGetConstOpcode(value);
	return 0;
}

static unsigned bits_of(LLVMValueRef value)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

struct ptx_part *ptx_ranks_part(const struct ptx_ranks *f, LLVMValueRef value)
{
	uint32_t i = pointer_map_get(&f->index, value);

	return i == POINTER_MAP_NONE ? NULL : (struct ptx_part *)f->parts.data + i;
}

LLVMValueRef ptx_strip(LLVMValueRef pointer)
{
	while (ptx_opcode_of(pointer) == LLVMAddrSpaceCast || ptx_opcode_of(pointer) == LLVMBitCast)
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

static void add_part(struct ptx_ranks *f, LLVMValueRef value)
{
	struct ptx_part *part;

	if (f->failed || pointer_map_get(&f->index, value) != POINTER_MAP_NONE)
		return;
	part = array_push(&f->parts, 1, f->err);
	if (!part || pointer_map_set(&f->index, value, (uint32_t)f->parts.count - 1, f->err)) {
		f->failed = ERR_NOMEM;
		return;
	}
	part->value = value;
}

/* The operands over which an address may have come: from *first, how many. */
static unsigned way_back(LLVMValueRef value, unsigned *first)
{
	*first = 0;
	switch ((int)ptx_opcode_of(value)) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMOr:
		return 2;
	case LLVMAnd:
	case LLVMZExt:
	case LLVMTrunc:
		return 1;
	case LLVMSelect:
		*first = 1;
		return 2;
	case LLVMPHI:
		return (unsigned)LLVMGetNumOperands(value);
	default:
		return 0;
	}
}

void ptx_ranks_collect(struct ptx_ranks *f, LLVMValueRef root)
{
	size_t i = f->parts.count;

	add_part(f, root);
	for (; i < f->parts.count && !f->failed; i++) {
		LLVMValueRef value = ((struct ptx_part *)f->parts.data)[i].value;
		unsigned first, count = way_back(value, &first);

		for (unsigned k = 0; k < count; k++)
			add_part(f, LLVMGetOperand(value, first + k));
		if (ptx_opcode_of(value) == LLVMPtrToInt) {
			LLVMValueRef inner = ptx_strip(LLVMGetOperand(value, 0));

			if (ptx_opcode_of(inner) == LLVMIntToPtr)
				add_part(f, LLVMGetOperand(inner, 0));
		}
	}
}

static enum ptx_rank rank_at(const struct ptx_ranks *f, LLVMValueRef value, unsigned i)
{
	const struct ptx_part *part = ptx_ranks_part(f, LLVMGetOperand(value, i));

	return part ? part->rank : PTX_RANK_NUMBER;
}

static enum ptx_rank greatest(const struct ptx_ranks *f, LLVMValueRef value)
{
	unsigned first, count = way_back(value, &first);
	enum ptx_rank rank = PTX_RANK_NUMBER;

	for (unsigned i = 0; i < count; i++) {
		enum ptx_rank other = rank_at(f, value, first + i);

		rank = other > rank ? other : rank;
	}
	return rank;
}

/* A mask that keeps the upper bits aligns an address; one of lower bits makes a number of it. */
static bool is_alignment(LLVMValueRef mask)
{
	return LLVMIsAConstantInt(mask) && LLVMConstIntGetSExtValue(mask) < 0;
}

static enum ptx_rank find_rank(const struct ptx_ranks *f, const struct ptx_part *part)
{
	LLVMValueRef value = part->value;

	if (LLVMIsAArgument(value))
		return bits_of(value) < 64 ? PTX_RANK_NUMBER
		       : part->is_evident  ? PTX_RANK_EVIDENT
		                           : PTX_RANK_PARAMETER;
	switch ((int)ptx_opcode_of(value)) {
	case LLVMPtrToInt:
		return PTX_RANK_ADDRESS;
	case LLVMLoad:
		return bits_of(value) == 64 ? PTX_RANK_LOADED : PTX_RANK_NUMBER;
	case LLVMSub:
	case LLVMTrunc:
		return rank_at(f, value, 0);
	case LLVMZExt:
		return rank_at(f, value, 0) == PTX_RANK_ADDRESS ? PTX_RANK_ADDRESS
		                                                : PTX_RANK_NUMBER;
	case LLVMAnd:
		return is_alignment(LLVMGetOperand(value, 1)) ? rank_at(f, value, 0)
		                                              : PTX_RANK_NUMBER;
	default:
		return greatest(f, value);
	}
}

/* Ranks only grow: this ends. */
static void rank_all(struct ptx_ranks *f)
{
	struct ptx_part *parts = f->parts.data;
	bool is_changed = true;

	while (is_changed) {
		is_changed = false;
		for (size_t i = f->parts.count; i-- > 0;) {
			enum ptx_rank rank = find_rank(f, &parts[i]);

			if (rank > parts[i].rank) {
				parts[i].rank = rank;
				is_changed = true;
			}
		}
	}
}

unsigned ptx_ranks_base(const struct ptx_ranks *f, LLVMValueRef sum)
{
	LLVMOpcode opcode = ptx_opcode_of(sum);

	if (opcode == LLVMSub || opcode == LLVMAnd)
		return 0;
	return rank_at(f, sum, 1) > rank_at(f, sum, 0);
}

bool ptx_is_sum(LLVMValueRef value)
{
	LLVMOpcode opcode = ptx_opcode_of(value);

	return opcode == LLVMAdd || opcode == LLVMOr || opcode == LLVMSub || opcode == LLVMAnd;
}

/* Mark what is one step back from a marked part; of a sum its base, if it is sure. */
static bool mark_back(struct ptx_ranks *f, const struct ptx_part *part, bool must_be_sure)
{
	unsigned first, count = way_back(part->value, &first);
	bool is_changed = false;

	if (ptx_is_sum(part->value)) {
		first = ptx_ranks_base(f, part->value);
		if (must_be_sure && count > 1 && rank_at(f, part->value, 1 - first))
			return false;
		count = 1;
	}
	for (unsigned k = 0; k < count; k++) {
		struct ptx_part *next = ptx_ranks_part(f, LLVMGetOperand(part->value, first + k));

		if (!next || next->is_marked)
			continue;
		next->is_marked = true;
		next->is_evident = next->rank == PTX_RANK_PARAMETER;
		is_changed = true;
	}
	return is_changed;
}

/* Mark what addresses come from; with must_be_sure, where no other part of a sum could be. */
static void mark_all(struct ptx_ranks *f, bool must_be_sure)
{
	struct ptx_part *parts = f->parts.data;
	bool is_changed = true;

	while (is_changed) {
		is_changed = false;
		for (size_t i = 0; i < f->parts.count; i++)
			if (parts[i].is_marked)
				is_changed |= mark_back(f, &parts[i], must_be_sure);
	}
}

void ptx_ranks_find(struct ptx_ranks *f, LLVMValueRef *casts, size_t count)
{
	rank_all(f);
	for (size_t i = 0; i < count; i++) {
		struct ptx_part *root = ptx_ranks_part(f, LLVMGetOperand(casts[i], 0));

		root->is_marked = true;
		root->is_evident = root->rank == PTX_RANK_PARAMETER;
	}
	mark_all(f, true);
	rank_all(f);
	mark_all(f, false);
}
