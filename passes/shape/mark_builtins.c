/* SPDX-License-Identifier: Apache-2.0 */
#include "marking.h"

#include "builtin.h"
#include "compat.h"
#include "err.h"
#include "mark.h"
#include "memory_space.h"
#include "node_split.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdio.h>

static LLVMBuilderRef builder_before(LLVMValueRef instruction)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));

	LLVMPositionBuilderBefore(b, instruction);
	return b;
}

/* vloadN and vstoreN: lanes elements from pointer[offset * stride] on. */
static void mark_vector(const struct marking *m, LLVMValueRef call, const struct builtin *b,
                        unsigned pointer_index)
{
	LLVMValueRef pointer = LLVMGetOperand(call, pointer_index);
	LLVMValueRef offset = LLVMGetOperand(call, pointer_index - 1);
	LLVMTypeRef element;
	LLVMBuilderRef builder;

	if (!marking_takes(m, pointer))
		return;
	element = LLVMGetElementType(LLVMTypeOf(pointer));
	builder = builder_before(call);
	offset = LLVMBuildMul(builder, offset, LLVMConstInt(LLVMTypeOf(offset), b->stride, 0), "");
	pointer = LLVMBuildGEP2(builder, element, pointer, &offset, 1, "");
	LLVMDisposeBuilder(builder);
	marking_put_typed(m, call, b->class == BUILTIN_LOAD ? SITE_READ : SITE_WRITE, pointer,
	                  LLVMArrayType(element, b->lanes));
}

/* A barrier or fence that orders memory by `flags`. */
static void mark_sync(const struct marking *m, LLVMValueRef call, enum site_kind kind,
                      LLVMValueRef flags)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetModuleContext(m->module));
	unsigned global = memory_space_number(m->module, SPACE_GLOBAL);

	marking_put(m, call, kind, LLVMConstNull(LLVMPointerType(byte, global)), flags);
}

/* Flags that are no constant count as both memories; so do intrinsics, which have none. */
static LLVMValueRef flags_of(const struct marking *m, LLVMValueRef call)
{
	LLVMValueRef flags = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;

	if (LLVMGetIntrinsicID(LLVMGetCalledValue(call)))
		flags = NULL;
	return flags && LLVMIsAConstantInt(flags) ? flags : marking_number(m, 3);
}

/* A mark of what is wanted early: `count` elements from the pointer on. */
static void mark_prefetch(const struct marking *m, LLVMValueRef call)
{
	LLVMValueRef pointer = LLVMGetOperand(call, 0), bytes = LLVMGetOperand(call, 1);
	LLVMBuilderRef b;
	uint64_t element;

	if (!marking_takes(m, pointer))
		return;
	element = LLVMABISizeOfType(LLVMGetModuleDataLayout(m->module),
	                            LLVMGetElementType(LLVMTypeOf(pointer)));
	b = builder_before(call);
	bytes = LLVMBuildIntCast2(b, bytes, LLVMTypeOf(marking_number(m, 0)), 0, "");
	bytes = LLVMBuildMul(b, bytes, marking_number(m, element), "");
	LLVMDisposeBuilder(b);
	if (!LLVMIsNull(bytes))
		marking_put(m, call, SITE_PREFETCH, pointer, bytes);
}

/* One side of a copy by the work-group: a call of the loop in compat.cl. `stride` is in elements.
 */
static int mark_side(struct marking *m, LLVMValueRef call, enum site_kind kind,
                     LLVMValueRef pointer, LLVMValueRef stride, struct err *err)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
	uint64_t element = LLVMABISizeOfType(LLVMGetModuleDataLayout(m->module),
	                                     LLVMGetElementType(LLVMTypeOf(pointer)));
	LLVMTypeRef types[5], type = LLVMTypeOf(LLVMGetOperand(call, 2));
	LLVMValueRef function, arguments[5], loop;
	LLVMBuilderRef b;
	char name[32];
	int ret;

	if (!marking_takes(m, pointer) || (space != SPACE_GLOBAL && space != SPACE_LOCAL))
		return 0;
	mark_declare(m->module, SPACE_GLOBAL);
	mark_declare(m->module, SPACE_LOCAL);
	snprintf(name, sizeof(name), "warpline_copied_%u", space);
	ret = compat_function(m->module, name, &function, err);
	if (ret)
		return ret;
	LLVMGetParamTypes(LLVMGlobalGetValueType(function), types);
	b = builder_before(call);
	arguments[0] = LLVMConstInt(types[0], kind, 0);
	arguments[1] = LLVMBuildBitCast(b, pointer, types[1], "");
	arguments[2] = LLVMGetOperand(call, 2);
	arguments[3] = LLVMConstInt(type, element, 0);
	if (stride)
		arguments[3] = LLVMBuildMul(b, stride, arguments[3], "");
	arguments[4] = marking_number(m, element);
	loop = LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, 5, "");
	LLVMSetInstructionCallConv(loop, LLVMSPIRFUNCCallConv);
	LLVMInstructionSetDebugLoc(loop, LLVMInstructionGetDebugLoc(call));
	LLVMDisposeBuilder(b);
	m->has_copies = true;
	return 0;
}

/* async_work_group_copy(to, from, count, event) and ..._strided_copy(to, from, count, stride, ...)
 */
static int mark_copy(struct marking *m, LLVMValueRef call, struct err *err)
{
	LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
	LLVMValueRef stride = LLVMGetNumArgOperands(call) == 5 ? LLVMGetOperand(call, 3) : NULL;
	bool is_store = LLVMGetPointerAddressSpace(LLVMTypeOf(to)) == SPACE_GLOBAL;
	int ret = mark_side(m, call, SITE_READ, from, is_store ? NULL : stride, err);

	return ret ? ret : mark_side(m, call, SITE_WRITE, to, is_store ? stride : NULL, err);
}

static bool is_variable(LLVMValueRef pointer)
{
	while (LLVMIsACastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAAllocaInst(pointer);
}

/* What is expected is read, and written when it was not there. */
static void mark_expected(const struct marking *m, LLVMValueRef call)
{
	LLVMValueRef expected = LLVMGetOperand(call, 1), next = LLVMGetNextInstruction(call);
	LLVMValueRef failed, jump;
	LLVMBuilderRef b;

	if (!marking_takes(m, expected) || is_variable(expected))
		return;
	marking_put_pointee(m, call, SITE_READ, expected);
	b = builder_before(next);
	failed = LLVMBuildICmp(b, LLVMIntEQ, call, LLVMConstNull(LLVMTypeOf(call)), "");
	LLVMDisposeBuilder(b);
	jump = node_split(next, failed);
	LLVMInstructionSetDebugLoc(jump, LLVMInstructionGetDebugLoc(call));
	marking_put_pointee(m, jump, SITE_WRITE, expected);
}

static void mark_atomic(const struct marking *m, LLVMValueRef call, enum builtin_class class)
{
	unsigned count = LLVMGetNumArgOperands(call);

	if (count >= 1)
		marking_put_pointee(m, call, class == BUILTIN_INIT ? SITE_WRITE : SITE_ATOMIC,
		                    LLVMGetOperand(call, 0));
	if (class == BUILTIN_ATOMIC_COMPARE && count >= 3)
		mark_expected(m, call);
}

int marking_builtin(struct marking *m, LLVMValueRef call, const char *symbol, struct err *err)
{
	struct builtin b = builtin_find(symbol);
	unsigned count = LLVMGetNumArgOperands(call);

	switch (b.class) {
	case BUILTIN_ATOMIC:
	case BUILTIN_ATOMIC_ALIAS:
	case BUILTIN_ATOMIC_COMPARE:
	case BUILTIN_INIT:
		mark_atomic(m, call, b.class);
		break;
	case BUILTIN_LOAD:
		if (count == 2)
			mark_vector(m, call, &b, 1);
		break;
	case BUILTIN_STORE:
		if (count == 3)
			mark_vector(m, call, &b, 2);
		break;
	case BUILTIN_RESULT:
		for (unsigned i = 0; i < count; i++)
			marking_put_pointee(m, call, SITE_WRITE, LLVMGetOperand(call, i));
		break;
	case BUILTIN_READ:
		if (count >= 1)
			marking_put_typed(m, call, SITE_READ, LLVMGetOperand(call, 0),
			                  LLVMTypeOf(call));
		break;
	case BUILTIN_COPY:
		return count >= 4 ? mark_copy(m, call, err) : 0;
	case BUILTIN_PREFETCH:
		if (count == 2)
			mark_prefetch(m, call);
		break;
	case BUILTIN_BARRIER:
		mark_sync(m, call, SITE_BARRIER, flags_of(m, call));
		break;
	case BUILTIN_BARRIER_FULL:
		mark_sync(m, call, SITE_BARRIER, marking_number(m, 3));
		break;
	case BUILTIN_COLLECTIVE:
		mark_sync(m, call, SITE_BARRIER, marking_number(m, 0));
		break;
	case BUILTIN_FENCE:
	case BUILTIN_FENCE_ABSENT:
		mark_sync(m, call, SITE_FENCE, flags_of(m, call));
		break;
	case BUILTIN_NONE:
	case BUILTIN_ALIAS:
	case BUILTIN_WAIT:
	case BUILTIN_NOTHING:
	case BUILTIN_PASSED:
	case BUILTIN_EFFECT:
		break;
	}
	return 0;
}
