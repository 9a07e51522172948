/* SPDX-License-Identifier: Apache-2.0 */
#include "mark.h"

#include "ir_walk.h"
#include "memory_space.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdio.h>
#include <string.h>

#define PREFIX "warpline.mark."

/* It must not be duplicated, nor made to depend on more conditions than in the source. */
static void add_attributes(LLVMContextRef context, LLVMValueRef function)
{
	static const char *const names[] = { "noduplicate", "convergent", "nounwind",
		                             "willreturn" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));

		LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		                        LLVMCreateEnumAttribute(context, kind, 0));
	}
}

LLVMValueRef mark_declare(LLVMModuleRef module, unsigned space)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	char name[sizeof(PREFIX) + 16];
	LLVMTypeRef types[3];
	LLVMValueRef function;

	snprintf(name, sizeof(name), PREFIX "%u", space);
	function = LLVMGetNamedFunction(module, name);
	if (function)
		return function;
	types[0] = LLVMInt32TypeInContext(context);
	types[1] = LLVMPointerType(LLVMInt8TypeInContext(context), space);
	types[2] = LLVMInt64TypeInContext(context);
	function = LLVMAddFunction(module, name,
	                           LLVMFunctionType(LLVMVoidTypeInContext(context), types, 3, 0));
	LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
	add_attributes(context, function);
	return function;
}

void mark_put(LLVMValueRef access, const struct mark *mark)
{
	LLVMValueRef parent = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
	LLVMModuleRef module = LLVMGetGlobalParent(parent);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(mark->pointer));
	LLVMValueRef function = mark_declare(module, space), call, arguments[3];
	LLVMTypeRef types[3];

	LLVMGetParamTypes(LLVMGlobalGetValueType(function), types);
	LLVMPositionBuilderBefore(b, access);
	arguments[0] = LLVMConstInt(types[0], mark->kind, 0);
	arguments[1] = LLVMBuildBitCast(b, mark->pointer, types[1], "");
	arguments[2] = LLVMBuildIntCast2(b, mark->bytes, types[2], 0, "");
	call = LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, 3, "");
	LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
	LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(access));
	LLVMDisposeBuilder(b);
}

bool mark_read(LLVMValueRef instruction, struct mark *mark)
{
	LLVMValueRef function;
	const char *name;
	size_t length;

	if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
		return false;
	function = LLVMIsAFunction(LLVMGetCalledValue(instruction));
	name = function ? LLVMGetValueName2(function, &length) : "";
	if (strncmp(name, PREFIX, sizeof(PREFIX) - 1) != 0)
		return false;
	mark->kind = (enum site_kind)LLVMConstIntGetZExtValue(LLVMGetOperand(instruction, 0));
	mark->pointer = LLVMGetOperand(instruction, 1);
	mark->bytes = LLVMGetOperand(instruction, 2);
	return true;
}

size_t mark_count(LLVMValueRef function)
{
	struct mark mark;
	size_t count = 0;

	for (LLVMValueRef i = ir_first(function); i; i = ir_next(i))
		count += mark_read(i, &mark);
	return count;
}

void mark_erase_local(LLVMValueRef function)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);
	LLVMValueRef next;
	struct mark mark;

	for (LLVMValueRef i = ir_first(function); i; i = next) {
		next = ir_next(i);
		if (mark_read(i, &mark) &&
		    memory_space_of_type(module, LLVMTypeOf(mark.pointer)) == SPACE_LOCAL)
			LLVMInstructionEraseFromParent(i);
	}
}

void mark_erase_all(LLVMModuleRef module)
{
	LLVMValueRef function = LLVMGetFirstFunction(module), next;

	for (; function; function = next) {
		size_t length;
		LLVMUseRef use;

		next = LLVMGetNextFunction(function);
		if (strncmp(LLVMGetValueName2(function, &length), PREFIX, sizeof(PREFIX) - 1) != 0)
			continue;
		while ((use = LLVMGetFirstUse(function)))
			LLVMInstructionEraseFromParent(LLVMGetUser(use));
		LLVMDeleteFunction(function);
	}
}

static unsigned kind_of(LLVMContextRef c)
{
	static const char name[] = "warpline.bypass";

	return LLVMGetMDKindIDInContext(c, name, (unsigned)strlen(name));
}

static LLVMContextRef context_of(LLVMValueRef load)
{
	return LLVMGetTypeContext(LLVMTypeOf(load));
}

void bypass_mark_put(LLVMValueRef load, struct bypass_mark mark)
{
	LLVMContextRef c = context_of(load);
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c);
	LLVMValueRef numbers[] = { LLVMConstInt(u32, mark.site, 0),
		                   LLVMConstInt(u32, mark.warps, 0) };

	LLVMSetMetadata(load, kind_of(c), LLVMMDNodeInContext(c, numbers, 2));
}

bool bypass_mark_read(LLVMValueRef load, struct bypass_mark *mark)
{
	LLVMValueRef node = LLVMGetMetadata(load, kind_of(context_of(load))), numbers[2];

	if (!node || LLVMGetMDNodeNumOperands(node) != 2)
		return false;
	LLVMGetMDNodeOperands(node, numbers);
	mark->site = (uint32_t)LLVMConstIntGetZExtValue(numbers[0]);
	mark->warps = (uint32_t)LLVMConstIntGetZExtValue(numbers[1]);
	return true;
}
