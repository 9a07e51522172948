/* SPDX-License-Identifier: Apache-2.0 */
#include "pointer_bases.h"

#include "kernel_table.h"

#include <llvm-c/Core.h>

#include <stddef.h>

#define WEB_LIMIT_COUNT 512

struct web {
	LLVMValueRef seen[WEB_LIMIT_COUNT];
	size_t count;
	unsigned spaces; /* bits */
	bool is_unknown;
};

static void look_at(struct web *w, LLVMValueRef value)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->seen[i] == value)
			return;
	if (w->count == WEB_LIMIT_COUNT)
		w->is_unknown = true;
	else
		w->seen[w->count++] = value;
}

static bool is_opcode(LLVMValueRef value, LLVMOpcode opcode)
{
	if (LLVMIsAInstruction(value))
		return LLVMGetInstructionOpcode(value) == opcode;
	return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == opcode;
}

static void look_through(struct web *w, LLVMValueRef value)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(value));

	if (space != SPACE_PRIVATE)
		w->spaces |= space < 32 ? 1u << space : 0;
	else if (LLVMIsAAllocaInst(value))
		w->spaces |= 1u << SPACE_PRIVATE;
	else if (LLVMIsAConstantPointerNull(value) || LLVMIsUndef(value))
		return;
	else if (is_opcode(value, LLVMGetElementPtr) || is_opcode(value, LLVMBitCast) ||
	         is_opcode(value, LLVMAddrSpaceCast) || is_opcode(value, LLVMFreeze))
		look_at(w, LLVMGetOperand(value, 0));
	else if (is_opcode(value, LLVMPHI) || is_opcode(value, LLVMSelect))
		for (unsigned i = is_opcode(value, LLVMSelect);
		     i < (unsigned)LLVMGetNumOperands(value); i++)
			look_at(w, LLVMGetOperand(value, i));
	else
		w->is_unknown = true;
}

unsigned pointer_bases_set(LLVMValueRef pointer)
{
	struct web w = { .count = 0 };

	look_at(&w, pointer);
	for (size_t i = 0; i < w.count && !w.is_unknown; i++)
		look_through(&w, w.seen[i]);
	return w.is_unknown ? 0 : w.spaces;
}

bool pointer_bases_space(LLVMValueRef pointer, unsigned *space)
{
	unsigned spaces = pointer_bases_set(pointer);

	if (!spaces || (spaces & (spaces - 1)))
		return false;
	for (*space = 0; !(spaces >> *space & 1);)
		++*space;
	return true;
}
