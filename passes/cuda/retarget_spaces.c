/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget_private.h"

#include "cuda_refusal.h"
#include "err.h"
#include "infer_spaces.h"
#include "pointer_bases.h"

#include <stdbool.h>
#include <string.h>

#define SHARED_STORED "a pointer to shared memory is stored in memory"

/*
 * Generic pointers come from arguments and variables, whose memory is known and which stand there
 * as a cast from it; from loads, numbers and calls, which get a cast from global memory here; and
 * from the kernel's own variables, where they are private. LLVM's infer-address-spaces then takes
 * the memory along to every use. Pointers go into memory as global ones.
 */
static LLVMTypeRef in_space(LLVMTypeRef type, unsigned space)
{
	return LLVMPointerType(LLVMGetElementType(type), space);
}

static bool is_generic(LLVMTypeRef type)
{
	return retarget_is_pointer(type, NVPTX_GENERIC);
}

static LLVMBuilderRef builder_before(LLVMValueRef instruction)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));

	LLVMPositionBuilderBefore(b, instruction);
	LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(instruction));
	return b;
}

static void replace(LLVMValueRef old, LLVMValueRef value)
{
	LLVMReplaceAllUsesWith(old, value);
	LLVMInstructionEraseFromParent(old);
}

/* The same load of a pointer to global memory. */
static void load_global(LLVMValueRef load)
{
	LLVMBuilderRef b = builder_before(load);
	LLVMTypeRef type = in_space(LLVMTypeOf(load), SPACE_GLOBAL);
	LLVMValueRef pointer = LLVMGetOperand(load, 0), there, value;
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

	there = LLVMBuildBitCast(b, pointer, LLVMPointerType(type, space), "");
	value = LLVMBuildLoad2(b, type, there, "");
	LLVMSetAlignment(value, LLVMGetAlignment(load));
	LLVMSetVolatile(value, LLVMGetVolatile(load));
	LLVMSetOrdering(value, LLVMGetOrdering(load));
	replace(load, LLVMBuildAddrSpaceCast(b, value, LLVMTypeOf(load), ""));
	LLVMDisposeBuilder(b);
}

static void store_global(LLVMValueRef store)
{
	LLVMBuilderRef b = builder_before(store);
	LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1), there;
	LLVMTypeRef type = in_space(LLVMTypeOf(value), SPACE_GLOBAL);
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

	value = LLVMIsNull(value) ? LLVMConstNull(type)
	                          : LLVMBuildAddrSpaceCast(b, value, type, "");
	pointer = LLVMBuildBitCast(b, pointer, LLVMPointerType(type, space), "");
	there = LLVMBuildStore(b, value, pointer);
	LLVMSetAlignment(there, LLVMGetAlignment(store));
	LLVMSetVolatile(there, LLVMGetVolatile(store));
	LLVMSetOrdering(there, LLVMGetOrdering(store));
	LLVMInstructionEraseFromParent(store);
	LLVMDisposeBuilder(b);
}

/* A number that was a pointer is that pointer; any other is an address in global memory. */
static void point_at_number(LLVMValueRef cast)
{
	LLVMBuilderRef b = builder_before(cast);
	LLVMValueRef number = LLVMGetOperand(cast, 0), value;
	LLVMTypeRef type = LLVMTypeOf(cast);

	if (LLVMIsAPtrToIntInst(number) && is_generic(LLVMTypeOf(LLVMGetOperand(number, 0)))) {
		replace(cast, LLVMBuildBitCast(b, LLVMGetOperand(number, 0), type, ""));
	} else {
		value = LLVMBuildIntToPtr(b, number, in_space(type, SPACE_GLOBAL), "");
		replace(cast, LLVMBuildAddrSpaceCast(b, value, type, ""));
	}
	LLVMDisposeBuilder(b);
}

/* To global memory and back: the first cast says what it is, the second what it was taken for. */
static LLVMValueRef round_trip(LLVMBuilderRef b, LLVMValueRef pointer)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);

	pointer = LLVMBuildAddrSpaceCast(b, pointer, in_space(type, SPACE_GLOBAL), "");
	return LLVMBuildAddrSpaceCast(b, pointer, type, "");
}

static bool is_memory_intrinsic(LLVMValueRef call)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
	size_t length;
	const char *name = function ? LLVMGetValueName2(function, &length) : "";

	return !strncmp(name, "llvm.mem", 8) || !strncmp(name, "llvm.dbg.", 9) ||
	       !strncmp(name, "llvm.lifetime.", 14) || !strncmp(name, "llvm.assume", 11);
}

/* What a call is given shows its memory as a cast to generic (see round_trip()). */
static void show_operands(LLVMValueRef call)
{
	unsigned count = LLVMGetNumArgOperands(call);
	LLVMBuilderRef b;

	if (is_memory_intrinsic(call))
		return;
	b = builder_before(call);
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef operand = LLVMGetOperand(call, i);

		if (LLVMIsAInstruction(operand) && is_generic(LLVMTypeOf(operand)) &&
		    !retarget_variable(operand))
			LLVMSetOperand(call, i, round_trip(b, operand));
	}
	LLVMDisposeBuilder(b);
}

/* A pointer of which nothing is known, out of an instruction of any other kind. */
static void cast_result(LLVMValueRef instruction)
{
	LLVMValueRef next = LLVMGetNextInstruction(instruction), first, back;
	LLVMBuilderRef b = builder_before(next);
	LLVMTypeRef type = LLVMTypeOf(instruction);

	first = LLVMBuildAddrSpaceCast(b, instruction, in_space(type, SPACE_GLOBAL), "");
	back = LLVMBuildAddrSpaceCast(b, first, type, "");
	LLVMReplaceAllUsesWith(instruction, back);
	LLVMSetOperand(first, 0, instruction);
	LLVMDisposeBuilder(b);
}

static int find_sources(void *context, LLVMValueRef i, struct err *err)
{
	bool is_pointer = is_generic(LLVMTypeOf(i));

	(void)context;
	(void)err;
	if (LLVMIsACallInst(i))
		show_operands(i);
	if (LLVMIsAStoreInst(i) && is_generic(LLVMTypeOf(LLVMGetOperand(i, 0))))
		store_global(i);
	else if (is_pointer && LLVMIsALoadInst(i))
		load_global(i);
	else if (is_pointer && LLVMIsAIntToPtrInst(i))
		point_at_number(i);
	else if (is_pointer && (LLVMIsACallInst(i) || LLVMIsAExtractValueInst(i) ||
	                        LLVMIsAExtractElementInst(i) || LLVMIsAAtomicRMWInst(i)))
		cast_result(i);
	return 0;
}

/* A null pointer that comes into a phi or select is one into the memory that the others are in. */
static int settle_nulls(void *context, LLVMValueRef i, struct err *err)
{
	unsigned first = LLVMIsASelectInst(i) ? 1 : 0, count, space;
	LLVMTypeRef type = LLVMTypeOf(i);

	(void)context;
	(void)err;
	if ((!LLVMIsAPHINode(i) && !LLVMIsASelectInst(i)) || !is_generic(type) ||
	    !pointer_bases_space(i, &space) || space == SPACE_PRIVATE)
		return 0;
	count = (unsigned)LLVMGetNumOperands(i);
	for (unsigned n = first; n < count; n++) {
		LLVMValueRef operand = LLVMGetOperand(i, n);

		if (LLVMIsAConstantPointerNull(operand) || LLVMIsUndef(operand))
			LLVMSetOperand(
				i, n,
				LLVMConstAddrSpaceCast(LLVMConstNull(in_space(type, space)), type));
	}
	return 0;
}

static void place_builder(LLVMBuilderRef b, LLVMValueRef i, unsigned operand)
{
	if (LLVMIsAPHINode(i))
		LLVMPositionBuilderBefore(
			b, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(i, operand)));
	else
		LLVMPositionBuilderBefore(b, i);
}

/* Where global and constant memory come together, both are taken for global. */
static int join_constants(void *context, LLVMValueRef i, struct err *err)
{
	unsigned first = LLVMIsASelectInst(i) ? 1 : 0, count, space;
	LLVMBuilderRef b;

	(void)err;
	if ((!LLVMIsAPHINode(i) && !LLVMIsASelectInst(i)) || !is_generic(LLVMTypeOf(i)) ||
	    pointer_bases_set(i) != (1u << SPACE_GLOBAL | 1u << SPACE_CONSTANT))
		return 0;
	count = (unsigned)LLVMGetNumOperands(i);
	b = LLVMCreateBuilderInContext(context);
	for (unsigned n = first; n < count; n++) {
		LLVMValueRef operand = LLVMGetOperand(i, n);

		if (!pointer_bases_space(operand, &space) || space != SPACE_CONSTANT)
			continue;
		place_builder(b, i, n);
		LLVMSetOperand(i, n, round_trip(b, operand));
	}
	LLVMDisposeBuilder(b);
	return 0;
}

/* There and back again of what turned out to be in another memory: nothing. */
static bool drop_round_trip(LLVMValueRef i)
{
	LLVMValueRef first;

	if (!LLVMIsAAddrSpaceCastInst(i) || !is_generic(LLVMTypeOf(i)))
		return false;
	first = LLVMGetOperand(i, 0);
	if (!LLVMIsAAddrSpaceCastInst(first) || !is_generic(LLVMTypeOf(LLVMGetOperand(first, 0))) ||
	    LLVMTypeOf(LLVMGetOperand(first, 0)) != LLVMTypeOf(i))
		return false;
	replace(i, LLVMGetOperand(first, 0));
	return true;
}

/* Of constant memory taken for global by way of generic: at once. */
static bool shorten_cast(LLVMValueRef i)
{
	LLVMValueRef first;
	LLVMBuilderRef b;

	if (!LLVMIsAAddrSpaceCastInst(i) || !retarget_is_pointer(LLVMTypeOf(i), SPACE_GLOBAL))
		return false;
	first = LLVMGetOperand(i, 0);
	if (!LLVMIsAAddrSpaceCastInst(first) ||
	    !retarget_is_pointer(LLVMTypeOf(LLVMGetOperand(first, 0)), SPACE_CONSTANT))
		return false;
	b = builder_before(i);
	replace(i, LLVMBuildAddrSpaceCast(b, LLVMGetOperand(first, 0), LLVMTypeOf(i), ""));
	LLVMDisposeBuilder(b);
	return true;
}

static bool is_pure(LLVMValueRef i)
{
	return LLVMIsACastInst(i) || LLVMIsAGetElementPtrInst(i) || LLVMIsAInsertValueInst(i) ||
	       LLVMIsAPHINode(i) || LLVMIsASelectInst(i);
}

/* A null pointer cast into a memory is that memory's. */
static void settle_null_operands(LLVMValueRef i)
{
	int count = LLVMGetNumOperands(i);

	for (int n = 0; n < count; n++) {
		LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);

		if (!LLVMIsABasicBlock(operand) && LLVMIsAConstantExpr(operand) &&
		    LLVMGetConstOpcode(operand) == LLVMAddrSpaceCast &&
		    LLVMIsNull(LLVMGetOperand(operand, 0)))
			LLVMSetOperand(i, (unsigned)n, LLVMConstNull(LLVMTypeOf(operand)));
	}
}

static int tidy(void *context, LLVMValueRef i, struct err *err)
{
	bool *is_changed = context;

	(void)err;
	settle_null_operands(i);
	if (drop_round_trip(i) || shorten_cast(i)) {
		*is_changed = true;
	} else if (is_pure(i) && !LLVMGetFirstUse(i)) {
		LLVMInstructionEraseFromParent(i);
		*is_changed = true;
	}
	return 0;
}

/* The memory that a pointer is known to be in, by a cast from it. */
static bool is_shared(LLVMValueRef pointer)
{
	unsigned space;

	return pointer_bases_space(pointer, &space) && space == SPACE_LOCAL;
}

static int check_stored(struct program *p, LLVMValueRef cast, struct err *err)
{
	LLVMValueRef pointer = LLVMGetOperand(cast, 0);
	unsigned space;

	if (is_shared(pointer))
		return cuda_refuse(p, cast, err, SHARED_STORED);
	if (pointer_bases_space(pointer, &space) && space == SPACE_PRIVATE)
		return cuda_refuse(p, cast, err,
		                   "a pointer to a variable of the kernel is stored "
		                   "in memory");
	return cuda_refuse(p, cast, err, "a pointer that may be into several memories is stored");
}

static LLVMValueRef accessed(LLVMValueRef i)
{
	if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
		return LLVMGetOperand(i, 0);
	return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

/* A constant that is stored is the address of a shared variable. */
static bool is_shared_constant(LLVMValueRef i)
{
	LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL;

	while (value && LLVMIsAConstantExpr(value))
		value = LLVMGetOperand(value, 0);
	return value && LLVMIsAGlobalVariable(value) &&
	       retarget_is_pointer(LLVMTypeOf(value), SPACE_LOCAL);
}

static int check(void *context, LLVMValueRef i, struct err *err)
{
	struct program *p = context;
	LLVMValueRef pointer = accessed(i);
	unsigned space;

	if (LLVMIsAAddrSpaceCastInst(i) && is_generic(LLVMTypeOf(LLVMGetOperand(i, 0))) &&
	    retarget_is_pointer(LLVMTypeOf(i), SPACE_GLOBAL))
		return check_stored(p, i, err);
	if (is_shared_constant(i))
		return cuda_refuse(p, i, err, SHARED_STORED);
	if (!pointer || !is_generic(LLVMTypeOf(pointer)))
		return 0;
	if (pointer_bases_space(pointer, &space) && space == SPACE_PRIVATE)
		return 0;
	return cuda_refuse(p, i, err, "a pointer that may be into several memories");
}

int retarget_spaces(struct program *p, struct err *err)
{
	bool is_changed = true;
	int ret = retarget_each_kernel(p->module, find_sources, NULL, err);

	if (!ret)
		ret = retarget_each_kernel(p->module, join_constants, p->context, err);
	if (!ret)
		ret = retarget_each_kernel(p->module, settle_nulls, NULL, err);
	if (!ret)
		ret = infer_spaces(p, err);
	while (!ret && is_changed) {
		is_changed = false;
		ret = retarget_each_kernel(p->module, tidy, &is_changed, err);
	}
	return ret ? ret : retarget_each_kernel(p->module, check, p, err);
}
