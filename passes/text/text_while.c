/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers of loops that do nothing but decide whether to go on: their condition can stand in a
 * while. Compilers of devices know such loops better than those that are left by a break.
 */
#include "text_parts.h"

#include <llvm-c/Core.h>

/* No floating point arithmetic: in one expression it might be contracted. */
static bool is_simple(LLVMValueRef i)
{
	switch ((int)LLVMGetInstructionOpcode(i)) {
	case LLVMICmp:
	case LLVMFCmp:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
	default:
		return false;
	}
}

/* Used once, in its own node. */
static bool is_used_once(LLVMValueRef i)
{
	LLVMUseRef use = LLVMGetFirstUse(i);

	return use && !LLVMGetNextUse(use) && LLVMIsAInstruction(LLVMGetUser(use)) &&
	       !LLVMIsAPHINode(LLVMGetUser(use)) &&
	       LLVMGetInstructionParent(LLVMGetUser(use)) == LLVMGetInstructionParent(i);
}

/* What becomes an expression; false for what becomes nothing at all. */
static bool is_counted(LLVMValueRef i)
{
	return !LLVMIsAPHINode(i) && !LLVMIsADbgInfoIntrinsic(i) && !LLVMIsATerminatorInst(i);
}

bool text_while_fits(struct text_function *f, LLVMBasicBlockRef header)
{
	LLVMValueRef first = LLVMGetFirstInstruction(header), i;

	for (i = first; i; i = LLVMGetNextInstruction(i))
		if (is_counted(i) && (!is_simple(i) || !is_used_once(i)))
			return false;
	for (i = first; i; i = LLVMGetNextInstruction(i))
		if (is_counted(i))
			text_check(f, pointer_map_set(&f->inlined, i, 1, f->err));
	return true;
}

bool text_inlined(struct text_function *f, LLVMValueRef v)
{
	if (pointer_map_get(&f->inlined, v) == POINTER_MAP_NONE)
		return false;
	text_put(f, "((%s)(", text_type(f, LLVMTypeOf(v)));
	text_operation(f, v);
	text_put(f, "))");
	return true;
}
