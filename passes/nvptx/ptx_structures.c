/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_structures.h"

#include "memory_space.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdbool.h>

#define DEPTH_MOST 32u

static bool is_read_in_parts(LLVMValueRef pointer, unsigned depth);

static bool has_constant_indices(LLVMValueRef gep)
{
	unsigned count = (unsigned)LLVMGetNumOperands(gep);

	for (unsigned i = 1; i < count; i++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(gep, i)))
			return false;
	return true;
}

static bool is_plain_use(LLVMValueRef user, LLVMValueRef pointer, unsigned depth)
{
	if (LLVMIsALoadInst(user))
		return !LLVMGetVolatile(user);
	if (LLVMIsAMemCpyInst(user))
		return LLVMGetOperand(user, 1) == pointer &&
		       LLVMIsAConstantInt(LLVMGetOperand(user, 2));
	if (LLVMIsAGetElementPtrInst(user) && !has_constant_indices(user))
		return false;
	return (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user)) &&
	       is_read_in_parts(user, depth + 1);
}

/* Whether all that is done with an address is to read from it, at constant distances. */
static bool is_read_in_parts(LLVMValueRef pointer, unsigned depth)
{
	if (depth > DEPTH_MOST)
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u))
		if (!is_plain_use(LLVMGetUser(u), pointer, depth))
			return false;
	return true;
}

/* In bytes, as the parameter has it, which may be more than its type asks for. */
static unsigned alignment_of(LLVMValueRef kernel, unsigned parameter, unsigned least)
{
	LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
		kernel, parameter + 1, LLVMGetEnumAttributeKindForName("align", 5));
	uint64_t alignment = attribute ? LLVMGetEnumAttributeValue(attribute) : 0;

	return alignment > least ? (unsigned)alignment : least;
}

static void copy(LLVMBuilderRef b, LLVMValueRef kernel, unsigned parameter)
{
	LLVMModuleRef module = LLVMGetGlobalParent(kernel);
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
	LLVMValueRef argument = LLVMGetParam(kernel, parameter), variable;
	LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(argument));
	LLVMTypeRef u64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	unsigned alignment = alignment_of(kernel, parameter, LLVMABIAlignmentOfType(layout, type));

	variable = LLVMBuildAlloca(b, type, "");
	LLVMSetAlignment(variable, alignment);
	LLVMReplaceAllUsesWith(argument, variable);
	LLVMBuildMemCpy(b, variable, alignment, argument, alignment,
	                LLVMConstInt(u64, LLVMABISizeOfType(layout, type), 0));
}

void ptx_structures_copy(LLVMValueRef kernel)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(kernel);
	LLVMBuilderRef b =
		LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(kernel)));

	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
	for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
		LLVMValueRef argument = LLVMGetParam(kernel, i);

		if (memory_space_is_by_value(argument) && is_read_in_parts(argument, 0))
			copy(b, kernel, i);
	}
	LLVMDisposeBuilder(b);
}
