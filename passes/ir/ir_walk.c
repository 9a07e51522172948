/* SPDX-License-Identifier: Apache-2.0 */
#include "ir_walk.h"

#include <llvm-c/Core.h>

#include <stddef.h>

/* The first instruction of a node, or of a later one if it is empty. */
static LLVMValueRef first_from(LLVMBasicBlockRef node)
{
	LLVMValueRef i = NULL;

	for (; !i && node; node = LLVMGetNextBasicBlock(node))
		i = LLVMGetFirstInstruction(node);
	return i;
}

LLVMValueRef ir_first(LLVMValueRef function)
{
	return first_from(LLVMGetFirstBasicBlock(function));
}

LLVMValueRef ir_next(LLVMValueRef instruction)
{
	LLVMValueRef next = LLVMGetNextInstruction(instruction);

	return next ? next
	            : first_from(LLVMGetNextBasicBlock(LLVMGetInstructionParent(instruction)));
}

void ir_move_nodes(LLVMValueRef from, LLVMValueRef to)
{
	LLVMBasicBlockRef node;

	while ((node = LLVMGetFirstBasicBlock(from))) {
		LLVMRemoveBasicBlockFromParent(node);
		LLVMAppendExistingBasicBlock(to, node);
	}
}

int ir_walk(LLVMValueRef function, ir_visit *visit, void *context, struct err *err)
{
	LLVMValueRef next;
	int ret = 0;

	for (LLVMValueRef i = ir_first(function); !ret && i; i = next) {
		next = ir_next(i);
		ret = visit(context, i, err);
	}
	return ret;
}

void ir_settle_nulls(LLVMValueRef i)
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
