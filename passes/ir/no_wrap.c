/* SPDX-License-Identifier: Apache-2.0 */
#include "no_wrap.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <string.h>

void no_wrap_init(struct no_wrap *n, LLVMContextRef context)
{
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
	LLVMValueRef function;

	n->module = LLVMModuleCreateWithNameInContext("warpline.copies", context);
	n->b = LLVMCreateBuilderInContext(context);
	function = LLVMAddFunction(n->module, "copies", type);
	LLVMPositionBuilderAtEnd(n->b, LLVMAppendBasicBlockInContext(context, function, ""));
}

void no_wrap_release(struct no_wrap *n)
{
	if (n->b)
		LLVMDisposeBuilder(n->b);
	if (n->module)
		LLVMDisposeModule(n->module);
	*n = (struct no_wrap){ 0 };
}

bool no_wrap_has(const struct no_wrap *n, LLVMValueRef instruction, bool is_unsigned)
{
	LLVMValueRef copy = LLVMInstructionClone(instruction);
	LLVMValueRef nothing = LLVMGetUndef(LLVMTypeOf(instruction));
	bool has_flag;
	char *text;

	LLVMInsertIntoBuilder(n->b, copy);
	LLVMInstructionSetDebugLoc(copy, NULL);
	LLVMSetOperand(copy, 0, nothing);
	LLVMSetOperand(copy, 1, nothing);
	text = LLVMPrintValueToString(copy);
	has_flag = strstr(text, is_unsigned ? " nuw " : " nsw ") != NULL;
	LLVMDisposeMessage(text);
	LLVMInstructionEraseFromParent(copy);
	return has_flag;
}
