/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_pointers.h"

#include "err.h"
#include "ptx_ranks.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdint.h>

struct finder {
	LLVMContextRef context;
	LLVMBuilderRef b;
	LLVMValueRef function;
	LLVMValueRef *bases;
	LLVMValueRef *refused;
	struct ptx_ranks ranks;
};

static unsigned bits_of(LLVMValueRef value)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

/* The builder behind the definition of a value. */
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

/* Any pointer as a generic one to bytes, at the builder. */
static LLVMValueRef as_generic(struct finder *f, LLVMValueRef pointer)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
	LLVMTypeRef bytes = LLVMPointerType(byte_type(f), space);

	if (LLVMTypeOf(pointer) != bytes)
		pointer = LLVMBuildBitCast(f->b, pointer, bytes, "");
	return space ? LLVMBuildAddrSpaceCast(f->b, pointer, generic(f), "") : pointer;
}

/* What is no sum: where addresses come from. */
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

/* The base and what is added to it: for masks the difference that they make. */
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

/* The pointer that an integer is, made once. */
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

/* All instructions that make pointers of integers. */
static int list_casts(const struct finder *f, struct array *casts)
{
	LLVMBasicBlockRef node = LLVMGetFirstBasicBlock(f->function);

	for (; node; node = LLVMGetNextBasicBlock(node))
		for (LLVMValueRef i = LLVMGetFirstInstruction(node); i;
		     i = LLVMGetNextInstruction(i)) {
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
	/* From what is far back on, so that make() does not go deep. */
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
