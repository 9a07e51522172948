/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_emit.h"

#include "array.h"
#include "err.h"
#include "ir_walk.h"
#include "pointer_map.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdbool.h>
#include <stdint.h>

/*
 * Finds out which integers of a kernel from PTX are addresses, and how likely.
 *
 * Walks back from integers that become pointers, through sums, casts, selects and phis. Ranks only
 * decide which operand of a sum is taken as its base: any choice gives the same address.
 */

/* How likely a value is an address. */
enum ptx_rank {
	PTX_RANK_NUMBER,
	PTX_RANK_PARAMETER, /* 64 bits: possible */
	PTX_RANK_LOADED,
	PTX_RANK_EVIDENT, /* a parameter that is the only base of another address */
	PTX_RANK_ADDRESS, /* known to be an address */
};

struct ptx_part {
	LLVMValueRef value;
	LLVMValueRef pointer; /* for users of the ranks */
	enum ptx_rank rank;
	bool is_evident;
	bool is_marked; /* an address depends on it */
};

struct ptx_ranks {
	struct pointer_map index; /* value -> index in parts */
	struct array parts;       /* struct ptx_part: operands before users */
	struct err *err;
	int failed;
};

/* The opcode of an instruction or constant expression; 0 for anything else. */
static LLVMOpcode ptx_opcode_of(LLVMValueRef value)
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

/* What is known of a value, or NULL. */
static struct ptx_part *ptx_ranks_part(const struct ptx_ranks *f, LLVMValueRef value)
{
	uint32_t i = pointer_map_get(&f->index, value);

	return i == POINTER_MAP_NONE ? NULL : (struct ptx_part *)f->parts.data + i;
}

/* A pointer without casts between memories and types. */
static LLVMValueRef ptx_strip(LLVMValueRef pointer)
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

/* The operands that an address may come from: *first, and how many. */
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

/* Add all values that `root` may come from. Notes failures. */
static void ptx_ranks_collect(struct ptx_ranks *f, LLVMValueRef root)
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

/* A mask of upper bits aligns an address; a mask of lower bits makes a plain number of it. */
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

/* Ranks only grow, so this ends. */
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

static unsigned ptx_ranks_base(const struct ptx_ranks *f, LLVMValueRef sum)
{
	LLVMOpcode opcode = ptx_opcode_of(sum);

	if (opcode == LLVMSub || opcode == LLVMAnd)
		return 0;
	return rank_at(f, sum, 1) > rank_at(f, sum, 0);
}

/* Whether it is a sum (or a mask); the operand that is its base. */
static bool ptx_is_sum(LLVMValueRef value)
{
	LLVMOpcode opcode = ptx_opcode_of(value);

	return opcode == LLVMAdd || opcode == LLVMOr || opcode == LLVMSub || opcode == LLVMAnd;
}

/* Mark the operands of a marked part; for a sum, only its base, if that is certain. */
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

/* Mark what addresses come from; with must_be_sure, only where no other operand of a sum could be
 * the base. */
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

/* Find the ranks, and mark what the operands of the casts, already collected, come from. */
static void ptx_ranks_find(struct ptx_ranks *f, LLVMValueRef *casts, size_t count)
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

struct finder {
	LLVMContextRef context;
	LLVMBuilderRef b;
	LLVMValueRef function;
	LLVMValueRef *bases;
	LLVMValueRef *refused;
	struct ptx_ranks ranks;
};

/* Position the builder after the definition of a value. */
static void go_behind(struct finder *f, LLVMValueRef value)
{
	LLVMBasicBlockRef node;
	LLVMValueRef at;

	if (!LLVMIsAInstruction(value)) {
		node = LLVMGetEntryBasicBlock(f->function);
		at = LLVMGetFirstInstruction(node);
		while (LLVMIsAAllocaInst(at))
			at = LLVMGetNextInstruction(at);
		LLVMPositionBuilderBefore(f->b, at);
		LLVMSetCurrentDebugLocation2(f->b, NULL);
		return;
	}
	at = LLVMGetNextInstruction(value);
	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	LLVMPositionBuilderBefore(f->b, at);
	LLVMSetCurrentDebugLocation2(f->b, LLVMInstructionGetDebugLoc(value));
}

static LLVMTypeRef byte_type(const struct finder *f)
{
	return LLVMInt8TypeInContext(f->context);
}

static LLVMTypeRef generic(const struct finder *f)
{
	return LLVMPointerType(byte_type(f), 0);
}

static LLVMValueRef make(struct finder *f, LLVMValueRef value);

/* Cast any pointer to a generic byte pointer. */
static LLVMValueRef as_generic(struct finder *f, LLVMValueRef pointer)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
	LLVMTypeRef bytes = LLVMPointerType(byte_type(f), space);

	if (LLVMTypeOf(pointer) != bytes)
		pointer = LLVMBuildBitCast(f->b, pointer, bytes, "");
	return space ? LLVMBuildAddrSpaceCast(f->b, pointer, generic(f), "") : pointer;
}

/* For what is not a sum: where addresses come from. */
static LLVMValueRef make_leaf(struct finder *f, LLVMValueRef value)
{
	LLVMValueRef pointer;

	if (LLVMIsUndef(value))
		return LLVMGetUndef(generic(f));
	if (LLVMIsAConstantInt(value))
		return LLVMConstIntToPtr(value, generic(f));
	go_behind(f, value);
	if (bits_of(value) < 64 && !*f->refused)
		*f->refused = LLVMIsAInstruction(value) ? value : f->function;
	pointer = LLVMBuildIntToPtr(f->b, value, generic(f), "");
	if (LLVMIsAArgument(value))
		for (unsigned i = 0; i < LLVMCountParams(f->function); i++)
			if (LLVMGetParam(f->function, i) == value && bits_of(value) == 64)
				f->bases[i] = pointer;
	return pointer;
}

static LLVMValueRef make_address(struct finder *f, LLVMValueRef value)
{
	LLVMValueRef pointer = ptx_strip(LLVMGetOperand(value, 0));

	if (ptx_opcode_of(pointer) == LLVMIntToPtr &&
	    ptx_ranks_part(&f->ranks, LLVMGetOperand(pointer, 0)))
		return make(f, LLVMGetOperand(pointer, 0));
	go_behind(f, value);
	return as_generic(f, pointer);
}

/* The base plus the offset; for masks, the difference that they make. */
static LLVMValueRef make_sum(struct finder *f, LLVMValueRef value)
{
	LLVMTypeRef wide = LLVMInt64TypeInContext(f->context);
	LLVMOpcode opcode = ptx_opcode_of(value);
	unsigned base = ptx_ranks_base(&f->ranks, value);
	LLVMValueRef pointer = make(f, LLVMGetOperand(value, base)), added;

	go_behind(f, value);
	if (opcode == LLVMAdd)
		added = LLVMGetOperand(value, 1 - base);
	else if (opcode == LLVMSub)
		added = LLVMBuildNeg(f->b, LLVMGetOperand(value, 1), "");
	else
		added = LLVMBuildSub(f->b, value, LLVMGetOperand(value, base), "");
	added = LLVMBuildIntCast2(f->b, added, wide, 1, "");
	return LLVMBuildGEP2(f->b, byte_type(f), pointer, &added, 1, "");
}

static LLVMValueRef make_phi(struct finder *f, LLVMValueRef value)
{
	unsigned count = LLVMCountIncoming(value);
	LLVMValueRef phi;

	LLVMPositionBuilderBefore(f->b, value);
	LLVMSetCurrentDebugLocation2(f->b, LLVMInstructionGetDebugLoc(value));
	phi = LLVMBuildPhi(f->b, generic(f), "");
	ptx_ranks_part(&f->ranks, value)->pointer = phi;
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef incoming = make(f, LLVMGetIncomingValue(value, i));
		LLVMBasicBlockRef node = LLVMGetIncomingBlock(value, i);

		LLVMAddIncoming(phi, &incoming, &node, 1);
	}
	return phi;
}

static LLVMValueRef make_choice(struct finder *f, LLVMValueRef value)
{
	LLVMValueRef first = make(f, LLVMGetOperand(value, 1));
	LLVMValueRef second = make(f, LLVMGetOperand(value, 2));

	go_behind(f, value);
	return LLVMBuildSelect(f->b, LLVMGetOperand(value, 0), first, second, "");
}

static LLVMValueRef make_new(struct finder *f, LLVMValueRef value, enum ptx_rank rank)
{
	LLVMOpcode opcode = ptx_opcode_of(value);

	if (opcode == LLVMPtrToInt)
		return make_address(f, value);
	if (rank == PTX_RANK_NUMBER)
		return make_leaf(f, value);
	if (ptx_is_sum(value))
		return make_sum(f, value);
	if (opcode == LLVMPHI)
		return make_phi(f, value);
	if (opcode == LLVMSelect)
		return make_choice(f, value);
	if (opcode == LLVMZExt || opcode == LLVMTrunc)
		return make(f, LLVMGetOperand(value, 0));
	return make_leaf(f, value);
}

/* The pointer for an integer, created once. */
static LLVMValueRef make(struct finder *f, LLVMValueRef value)
{
	const struct ptx_part *part = ptx_ranks_part(&f->ranks, value);
	LLVMValueRef pointer;

	if (!part)
		return make_leaf(f, value);
	if (part->pointer)
		return part->pointer;
	pointer = make_new(f, value, part->rank);
	ptx_ranks_part(&f->ranks, value)->pointer = pointer;
	return pointer;
}

static void replace(struct finder *f, LLVMValueRef cast)
{
	LLVMTypeRef type = LLVMTypeOf(cast);
	unsigned space = LLVMGetPointerAddressSpace(type);
	LLVMValueRef pointer = make(f, LLVMGetOperand(cast, 0));

	LLVMPositionBuilderBefore(f->b, cast);
	LLVMSetCurrentDebugLocation2(f->b, LLVMInstructionGetDebugLoc(cast));
	if (space)
		pointer = LLVMBuildAddrSpaceCast(f->b, pointer,
		                                 LLVMPointerType(byte_type(f), space), "");
	pointer = LLVMBuildBitCast(f->b, pointer, type, "");
	LLVMReplaceAllUsesWith(cast, pointer);
	LLVMInstructionEraseFromParent(cast);
}

/* List all instructions that make pointers from integers. */
static int list_casts(const struct finder *f, struct array *casts)
{
	for (LLVMValueRef i = ir_first(f->function); i; i = ir_next(i)) {
		LLVMValueRef *kept;

		if (LLVMGetInstructionOpcode(i) != LLVMIntToPtr)
			continue;
		kept = array_push(casts, 1, f->ranks.err);
		if (!kept)
			return ERR_NOMEM;
		*kept = i;
	}
	return 0;
}

static void change(struct finder *f, LLVMValueRef *casts, size_t count)
{
	struct ptx_part *parts = f->ranks.parts.data;

	ptx_ranks_find(&f->ranks, casts, count);
	/* Start at the origins, so that make() does not recurse deeply. */
	for (size_t i = f->ranks.parts.count; i-- > 0;)
		if (parts[i].is_marked)
			make(f, parts[i].value);
	for (size_t i = 0; i < count; i++)
		replace(f, casts[i]);
}

int ptx_pointers_run(LLVMValueRef function, LLVMValueRef *bases, LLVMValueRef *refused,
                     struct err *err)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	struct finder f = { .context = context,
		            .function = function,
		            .bases = bases,
		            .refused = refused,
		            .ranks = { .err = err } };
	struct array casts;
	LLVMValueRef *all;

	*refused = NULL;
	f.b = LLVMCreateBuilderInContext(context);
	array_init(&casts, sizeof(LLVMValueRef), UINT32_MAX / 4, "addresses");
	array_init(&f.ranks.parts, sizeof(struct ptx_part), UINT32_MAX / 4, "addresses");
	f.ranks.failed = list_casts(&f, &casts);
	all = casts.data;
	for (size_t i = 0; i < casts.count && !f.ranks.failed; i++)
		ptx_ranks_collect(&f.ranks, LLVMGetOperand(all[i], 0));
	if (!f.ranks.failed)
		change(&f, all, casts.count);
	array_release(&casts);
	array_release(&f.ranks.parts);
	pointer_map_release(&f.ranks.index);
	LLVMDisposeBuilder(f.b);
	return f.ranks.failed;
}
