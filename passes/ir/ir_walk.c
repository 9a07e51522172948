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
