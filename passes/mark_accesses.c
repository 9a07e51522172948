/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "builtin.h"
#include "mark.h"
#include "program.h"

#include <llvm-c/Target.h>

#include <string.h>

/* Private, constant and local memory are not recorded; of generic pointers it shows later. */
static bool is_recorded(LLVMValueRef pointer)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);
	unsigned space;

	if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
		return false;
	space = LLVMGetPointerAddressSpace(type);
	return space == SPACE_GLOBAL || space == SPACE_GENERIC;
}

static LLVMValueRef constant(LLVMValueRef instruction, uint64_t value)
{
	LLVMModuleRef module =
		LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));

	return LLVMConstInt(LLVMInt64TypeInContext(LLVMGetModuleContext(module)), value, 0);
}

static void put(LLVMValueRef access, enum site_kind kind, LLVMValueRef pointer, LLVMValueRef bytes)
{
	struct mark mark = { .kind = kind, .pointer = pointer, .bytes = bytes };

	if (is_recorded(pointer))
		mark_put(access, &mark);
}

static void put_typed(LLVMValueRef access, enum site_kind kind, LLVMValueRef pointer,
                      LLVMTypeRef type)
{
	LLVMModuleRef module =
		LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(access)));
	uint64_t bytes = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module), type);

	put(access, kind, pointer, constant(access, bytes));
}

static bool is_zero(LLVMValueRef value)
{
	return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0;
}

static void mark_intrinsic(LLVMValueRef call, const char *name)
{
	bool is_copy = !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13);
	LLVMValueRef length;

	if (!is_copy && strncmp(name, "llvm.memset.", 12) != 0)
		return;
	length = LLVMGetOperand(call, 2);
	if (is_zero(length))
		return;
	if (is_copy)
		put(call, SITE_READ, LLVMGetOperand(call, 1), length);
	put(call, SITE_WRITE, LLVMGetOperand(call, 0), length);
}

/* vloadN and vstoreN: lanes elements from pointer[offset * stride] on. */
static void mark_vector(LLVMValueRef call, const struct builtin *b, unsigned pointer_index)
{
	LLVMValueRef pointer = LLVMGetOperand(call, pointer_index);
	LLVMValueRef offset = LLVMGetOperand(call, pointer_index - 1);
	LLVMTypeRef element;
	LLVMBuilderRef builder;

	if (!is_recorded(pointer))
		return;
	element = LLVMGetElementType(LLVMTypeOf(pointer));
	builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(element));
	LLVMPositionBuilderBefore(builder, call);
	offset = LLVMBuildMul(builder, offset, LLVMConstInt(LLVMTypeOf(offset), b->stride, 0), "");
	pointer = LLVMBuildGEP2(builder, element, pointer, &offset, 1, "");
	LLVMDisposeBuilder(builder);
	put_typed(call, b->class == BUILTIN_LOAD ? SITE_READ : SITE_WRITE, pointer,
	          LLVMArrayType(element, b->lanes));
}

/* A barrier or fence; flags that are no constant count as both. */
static void mark_sync(LLVMValueRef call, enum site_kind kind)
{
	LLVMValueRef flags = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));

	if (!flags || !LLVMIsAConstantInt(flags))
		flags = constant(call, 3);
	put(call, kind, LLVMConstNull(LLVMPointerType(byte, SPACE_GLOBAL)), flags);
}

static void mark_pointee(LLVMValueRef call, enum site_kind kind, LLVMValueRef pointer)
{
	if (is_recorded(pointer))
		put_typed(call, kind, pointer, LLVMGetElementType(LLVMTypeOf(pointer)));
}

static void mark_builtin(LLVMValueRef call, const char *symbol)
{
	struct builtin b = builtin_find(symbol);
	unsigned count = LLVMGetNumArgOperands(call);

	switch (b.class) {
	case BUILTIN_ATOMIC:
	case BUILTIN_ATOMIC_ALIAS:
		if (count >= 1)
			mark_pointee(call, SITE_ATOMIC, LLVMGetOperand(call, 0));
		break;
	case BUILTIN_LOAD:
		if (count == 2)
			mark_vector(call, &b, 1);
		break;
	case BUILTIN_STORE:
		if (count == 3)
			mark_vector(call, &b, 2);
		break;
	case BUILTIN_RESULT:
		if (count >= 1)
			mark_pointee(call, SITE_WRITE, LLVMGetOperand(call, count - 1));
		break;
	case BUILTIN_BARRIER:
		mark_sync(call, SITE_BARRIER);
		break;
	case BUILTIN_FENCE:
	case BUILTIN_FENCE_ABSENT:
		mark_sync(call, SITE_FENCE);
		break;
	case BUILTIN_NONE:
	case BUILTIN_ALIAS:
	case BUILTIN_WAIT:
	case BUILTIN_PASSED:
	case BUILTIN_EFFECT:
		break;
	}
}

static void mark_call(LLVMValueRef call)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
	const char *name;
	size_t length;

	if (!function)
		return;
	name = LLVMGetValueName2(function, &length);
	if (LLVMGetIntrinsicID(function))
		mark_intrinsic(call, name);
	else if (LLVMIsDeclaration(function))
		mark_builtin(call, name);
}

static void mark_instruction(LLVMValueRef i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

	if (opcode == LLVMLoad)
		put_typed(i, SITE_READ, LLVMGetOperand(i, 0), LLVMTypeOf(i));
	else if (opcode == LLVMStore)
		put_typed(i, SITE_WRITE, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
	else if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
		put_typed(i, SITE_ATOMIC, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)));
	else if (opcode == LLVMCall)
		mark_call(i);
}

int mark_accesses(struct program *p, struct err *err)
{
	for (size_t k = 0; k < p->kernel_count; k++) {
		LLVMBasicBlockRef node = LLVMGetFirstBasicBlock(p->kernels[k].function);

		for (; node; node = LLVMGetNextBasicBlock(node)) {
			LLVMValueRef i = LLVMGetFirstInstruction(node);

			for (; i; i = LLVMGetNextInstruction(i))
				mark_instruction(i);
		}
	}
	return 0;
}
