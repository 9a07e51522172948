/* SPDX-License-Identifier: Apache-2.0 */
#include "node_split.h"

#include <llvm-c/Core.h>

/* Move everything before `at` to the end of another node. */
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
 * Redirect the jumps from one node to another. Phis in later nodes keep naming the old one: LLVM
 * would change them too, except for a node that has no terminator.
 */
static void redirect(LLVMBuilderRef b, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(from);

	LLVMInstructionRemoveFromParent(end);
	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(from), LLVMBasicBlockAsValue(to));
	LLVMPositionBuilderAtEnd(b, from);
	LLVMInsertIntoBuilder(b, end);
}

LLVMBasicBlockRef node_cut(LLVMValueRef at)
{
	LLVMBasicBlockRef tail = LLVMGetInstructionParent(at);
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(tail)));
	LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(c, tail, "");
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);

	redirect(b, tail, head);
	move_before(b, at, head);
	LLVMPositionBuilderAtEnd(b, head);
	LLVMBuildBr(b, tail);
	LLVMDisposeBuilder(b);
	return head;
}

LLVMValueRef node_split(LLVMValueRef at, LLVMValueRef condition)
{
	LLVMBasicBlockRef head = node_cut(at), tail = LLVMGetInstructionParent(at), then;
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(condition));
	LLVMValueRef end = LLVMGetBasicBlockTerminator(head);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
	LLVMValueRef jump;

	then = LLVMInsertBasicBlockInContext(c, tail, "");
	LLVMPositionBuilderBefore(b, end);
	LLVMBuildCondBr(b, condition, then, tail);
	LLVMInstructionEraseFromParent(end);
	LLVMPositionBuilderAtEnd(b, then);
	jump = LLVMBuildBr(b, tail);
	LLVMDisposeBuilder(b);
	return jump;
}
