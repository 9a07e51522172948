/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "builtin.h"
#include "llvm_api.h"
#include "program.h"

#include <llvm-c/DebugInfo.h>

/* wait_group_events(int, event_t *), with the events in private memory */
#define WAIT_PRIVATE "_Z17wait_group_eventsiP9ocl_event"

/* Replace `call` by one of `replacement` if its events are cast from `type`. */
static void wait_for_private(LLVMValueRef call, LLVMValueRef replacement, LLVMTypeRef type)
{
	LLVMValueRef arguments[] = { LLVMGetOperand(call, 0), LLVMGetOperand(call, 1) };
	LLVMValueRef cast = arguments[1], better;
	LLVMBuilderRef b;

	if (!LLVMIsAAddrSpaceCastInst(cast))
		return;
	arguments[1] = LLVMGetOperand(cast, 0);
	if (LLVMTypeOf(arguments[1]) != type)
		return;
	b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
	LLVMPositionBuilderBefore(b, call);
	better = LLVMBuildCall2(b, LLVMGlobalGetValueType(replacement), replacement, arguments, 2,
	                        "");
	LLVMSetInstructionCallConv(better, LLVMGetFunctionCallConv(replacement));
	LLVMInstructionSetDebugLoc(better, LLVMInstructionGetDebugLoc(call));
	LLVMInstructionEraseFromParent(call);
	if (!LLVMGetFirstUse(cast))
		LLVMInstructionEraseFromParent(cast);
	LLVMDisposeBuilder(b);
}

/*
 * clang declares wait_group_events() with a generic pointer to the events, which the libraries of
 * OpenCL 1.2 lack and which crashes some devices. Call it with the private pointer that was cast.
 */
static void replace_calls(struct program *p, LLVMValueRef function)
{
	LLVMTypeRef types[2], type;
	LLVMValueRef replacement;
	LLVMUseRef use, next;

	if (LLVMCountParams(function) != 2)
		return;
	LLVMGetParamTypes(LLVMGlobalGetValueType(function), types);
	if (LLVMGetTypeKind(types[1]) != LLVMPointerTypeKind ||
	    LLVMGetPointerAddressSpace(types[1]) != 4)
		return;
	types[1] = llvm_pointer_in(types[1], 0);
	type = LLVMFunctionType(LLVMVoidTypeInContext(p->context), types, 2, 0);
	replacement = LLVMGetNamedFunction(p->module, WAIT_PRIVATE);
	if (!replacement)
		replacement = LLVMAddFunction(p->module, WAIT_PRIVATE, type);
	LLVMSetFunctionCallConv(replacement, LLVMSPIRFUNCCallConv);
	for (use = LLVMGetFirstUse(function); use; use = next) {
		next = LLVMGetNextUse(use);
		wait_for_private(LLVMGetUser(use), replacement, types[1]);
	}
}

int make_events_private(struct program *p, struct err *err)
{
	LLVMValueRef f, next;

	(void)err;
	for (f = LLVMGetFirstFunction(p->module); f; f = next) {
		size_t length;

		next = LLVMGetNextFunction(f);
		if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) &&
		    builtin_find(LLVMGetValueName2(f, &length)).class == BUILTIN_WAIT)
			replace_calls(p, f);
	}
	return 0;
}
