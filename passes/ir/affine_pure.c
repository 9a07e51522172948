/* SPDX-License-Identifier: Apache-2.0 */
#include "affine_pure.h"

#include <llvm-c/Core.h>

#include <string.h>

static bool has_attribute(LLVMValueRef function, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                                   kind);
}

/* Work-item functions, mathematics: declared to read nothing and to return. */
static bool is_pure_call(LLVMValueRef call)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));

	return function && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind &&
	       LLVMIsDeclaration(function) && has_attribute(function, "readnone") &&
	       has_attribute(function, "nounwind");
}

int32_t affine_pure_operands(LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

	if (LLVMIsABinaryOperator(instruction) || LLVMIsACastInst(instruction) ||
	    LLVMIsACmpInst(instruction))
		return (int32_t)LLVMGetNumOperands(instruction);
	switch ((int)opcode) {
	case LLVMCall:
		return is_pure_call(instruction) ? (int32_t)LLVMGetNumArgOperands(instruction) : -1;
	case LLVMFNeg:
	case LLVMSelect:
	case LLVMGetElementPtr:
	case LLVMExtractElement:
	case LLVMInsertElement:
	case LLVMShuffleVector:
	case LLVMExtractValue:
	case LLVMInsertValue:
		return (int32_t)LLVMGetNumOperands(instruction);
	default:
		return -1;
	}
}

bool affine_pure_may_trap(LLVMValueRef instruction)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	LLVMValueRef by;
	int64_t value;

	if (opcode != LLVMUDiv && opcode != LLVMSDiv && opcode != LLVMURem && opcode != LLVMSRem)
		return false;
	by = LLVMGetOperand(instruction, 1);
	if (!LLVMIsAConstantInt(by) || LLVMGetIntTypeWidth(LLVMTypeOf(by)) > 64)
		return true;
	value = LLVMConstIntGetSExtValue(by);
	return value == 0 || value == -1;
}
