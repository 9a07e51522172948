/* SPDX-License-Identifier: Apache-2.0 */
#include "node_split.h"

#include <llvm-c/Core.h>

/* Move what lies before `at` to the end of another node. */
static void move_before(LLVMBuilderRef b, LLVMValueRef at, LLVMBasicBlockRef to)
{
	LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetInstructionParent(at)), next;

	LLVMPositionBuilderAtEnd(b, to);
	for (; i != at; i = next) {
		next = LLVMGetNextInstruction(i);
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(b, i);
	}
}

/*
 * Let the jumps to one node lead to another. The phis behind the node go on naming it: LLVM would
 * change them too, but for a node without an end.
 */
static void redirect(LLVMBuilderRef b, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(from);

	LLVMInstructionRemoveFromParent(end);
	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(from), LLVMBasicBlockAsValue(to));
	LLVMPositionBuilderAtEnd(b, from);
	LLVMInsertIntoBuilder(b, end);
}

LLVMValueRef node_split(LLVMValueRef at, LLVMValueRef condition)
{
	LLVMBasicBlockRef tail = LLVMGetInstructionParent(at);
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(condition));
	LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(c, tail, "");
	LLVMBasicBlockRef then = LLVMInsertBasicBlockInContext(c, tail, "");
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
	LLVMValueRef jump;

	redirect(b, tail, head);
	move_before(b, at, head);
	LLVMPositionBuilderAtEnd(b, head);
	LLVMBuildCondBr(b, condition, then, tail);
	LLVMPositionBuilderAtEnd(b, then);
	jump = LLVMBuildBr(b, tail);
	LLVMDisposeBuilder(b);
	return jump;
}
