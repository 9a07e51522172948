/* SPDX-License-Identifier: Apache-2.0 */
#include "call_itself.h"

#include "probe_runtime.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <string.h>

#define MAX_PARAMETERS 16

static bool is_apart(LLVMValueRef function)
{
	static const char name[] = "noinline";
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return !LLVMIsDeclaration(function) && probe_runtime_owns(function) &&
	       LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                                   kind);
}

/* first word of the header == 0 */
static LLVMValueRef build_condition(LLVMBuilderRef b, LLVMValueRef header, LLVMTypeRef u32)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(header));
	LLVMValueRef at = LLVMBuildBitCast(b, header, LLVMPointerType(u32, space), "");
	LLVMValueRef version = LLVMBuildLoad2(b, u32, at, "warpline.version");

	return LLVMBuildICmp(b, LLVMIntEQ, version, LLVMConstInt(u32, 0, 0), "");
}

/*
 * The call writes to the header behind itself, so that it is no tail call, of which a loop could be
 * made.
 */
static void build_call(LLVMBuilderRef b, LLVMValueRef function, LLVMTypeRef u32)
{
	LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
	LLVMValueRef arguments[MAX_PARAMETERS], header = LLVMGetParam(function, 0), result, at;
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(header));

	LLVMGetParams(function, arguments);
	result = probe_runtime_call(b, function, arguments, LLVMCountParams(function));
	at = LLVMBuildBitCast(b, header, LLVMPointerType(u32, space), "");
	LLVMSetVolatile(LLVMBuildStore(b, LLVMConstInt(u32, 0, 0), at), 1);
	if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(b);
	else
		LLVMBuildRet(b, result);
}

static void call_itself(LLVMValueRef function, LLVMContextRef c)
{
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c);
	LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(function);
	LLVMBasicBlockRef look = LLVMInsertBasicBlockInContext(c, body, "warpline.look");
	LLVMBasicBlockRef again = LLVMInsertBasicBlockInContext(c, body, "warpline.again");
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);

	LLVMPositionBuilderAtEnd(b, look);
	LLVMBuildCondBr(b, build_condition(b, LLVMGetParam(function, 0), u32), again, body);
	LLVMPositionBuilderAtEnd(b, again);
	build_call(b, function, u32);
	LLVMDisposeBuilder(b);
}

void call_itself_insert(LLVMModuleRef module)
{
	LLVMContextRef c = LLVMGetModuleContext(module);

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (is_apart(f) && LLVMCountParams(f) <= MAX_PARAMETERS)
			call_itself(f, c);
}
