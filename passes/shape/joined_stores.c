/* SPDX-License-Identifier: Apache-2.0 */
#include "joined_stores.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdbool.h>
#include <stddef.h>

/* The two nodes that lead to this one and nowhere else. False when it is not so. */
static bool find_sides(LLVMBasicBlockRef meeting, LLVMBasicBlockRef side[2])
{
	LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(meeting));
	unsigned count = 0;

	for (; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef jump = LLVMGetUser(use);

		if (!LLVMIsABranchInst(jump) || LLVMIsConditional(jump) || count == 2)
			return false;
		side[count++] = LLVMGetInstructionParent(jump);
	}
	return count == 2;
}

static bool is_of_memory(LLVMValueRef i)
{
	return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsACallInst(i) ||
	       LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

/* The store after which a node touches memory no more, or NULL. */
static LLVMValueRef last_store(LLVMBasicBlockRef node)
{
	LLVMValueRef i = LLVMGetLastInstruction(node);

	while (i && !is_of_memory(i))
		i = LLVMGetPreviousInstruction(i);
	return i && LLVMIsAStoreInst(i) && !LLVMGetVolatile(i) &&
	                       LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic
	               ? i
	               : NULL;
}

static bool are_alike(LLVMValueRef a, LLVMValueRef b)
{
	return a && b && LLVMGetOperand(a, 1) == LLVMGetOperand(b, 1) &&
	       LLVMTypeOf(LLVMGetOperand(a, 0)) == LLVMTypeOf(LLVMGetOperand(b, 0));
}

static LLVMValueRef first_by_line(LLVMValueRef a, LLVMValueRef b)
{
	LLVMMetadataRef x = LLVMInstructionGetDebugLoc(a), y = LLVMInstructionGetDebugLoc(b);

	return x && y && LLVMDILocationGetLine(y) < LLVMDILocationGetLine(x) ? b : a;
}

/* What the store is known to be of (`tbaa`): nothing, where the two are of different types. */
static void set_type(LLVMValueRef joined, LLVMValueRef store[2])
{
	unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(joined)), "tbaa", 4);

	if (LLVMGetMetadata(store[0], kind) != LLVMGetMetadata(store[1], kind))
		LLVMSetMetadata(joined, kind, NULL);
}

static void join(LLVMBasicBlockRef meeting, LLVMBasicBlockRef side[2], LLVMValueRef store[2])
{
	LLVMValueRef first = first_by_line(store[0], store[1]), phi, at, joined;
	LLVMValueRef value[2] = { LLVMGetOperand(store[0], 0), LLVMGetOperand(store[1], 0) };
	LLVMTypeRef type = LLVMTypeOf(value[0]);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
	unsigned alignment[2] = { LLVMGetAlignment(store[0]), LLVMGetAlignment(store[1]) };

	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(meeting));
	phi = LLVMBuildPhi(b, type, "");
	LLVMAddIncoming(phi, value, side, 2);
	at = LLVMGetFirstInstruction(meeting);
	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	LLVMPositionBuilderBefore(b, at);
	joined = LLVMInstructionClone(first);
	LLVMInsertIntoBuilder(b, joined);
	LLVMSetOperand(joined, 0, phi);
	LLVMSetAlignment(joined, alignment[alignment[1] < alignment[0]]);
	LLVMInstructionSetDebugLoc(joined, LLVMInstructionGetDebugLoc(first));
	set_type(joined, store);
	LLVMInstructionEraseFromParent(store[0]);
	LLVMInstructionEraseFromParent(store[1]);
	LLVMDisposeBuilder(b);
}

static bool join_last(LLVMBasicBlockRef meeting, LLVMBasicBlockRef side[2])
{
	LLVMValueRef store[2] = { last_store(side[0]), last_store(side[1]) };

	if (!are_alike(store[0], store[1]))
		return false;
	join(meeting, side, store);
	return true;
}

void joined_stores_make(LLVMValueRef function)
{
	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(function); n;
	     n = LLVMGetNextBasicBlock(n)) {
		LLVMBasicBlockRef side[2];

		if (find_sides(n, side))
			while (join_last(n, side)) {
			}
	}
}
