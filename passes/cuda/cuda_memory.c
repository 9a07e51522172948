/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_memory.h"

#include "cuda_call.h"
#include "site.h"

#include <llvm-c/Core.h>

enum { DEPTH_MAX = 16, SPACE_ANY = 0 };

static bool is_generic(unsigned space)
{
	return space == SPACE_ANY || space == SPACE_GENERIC;
}

static bool is_step(LLVMValueRef pointer)
{
	LLVMOpcode opcode;

	if (LLVMIsAInstruction(pointer))
		opcode = LLVMGetInstructionOpcode(pointer);
	else if (LLVMIsAConstantExpr(pointer))
		opcode = LLVMGetConstOpcode(pointer);
	else
		return false;
	return opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast || opcode == LLVMGetElementPtr;
}

/* The pointer that casts and address arithmetic begin with; one with a memory of its own ends it.
 */
static LLVMValueRef base_of(LLVMValueRef pointer)
{
	while (is_generic(LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))) && is_step(pointer)) {
		LLVMValueRef from = LLVMGetOperand(pointer, 0);

		if (LLVMGetTypeKind(LLVMTypeOf(from)) != LLVMPointerTypeKind)
			break;
		pointer = from;
	}
	return pointer;
}

static unsigned space_of(LLVMValueRef pointer, unsigned depth);

static unsigned common(unsigned a, unsigned b)
{
	return a == b ? a : (unsigned)SPACE_ANY;
}

/* Of a phi; the ways that lead back to it are cut by the depth, and count as any memory. */
static unsigned space_of_phi(LLVMValueRef phi, unsigned depth)
{
	unsigned space = SPACE_ANY;
	bool is_first = true;

	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef from = base_of(LLVMGetIncomingValue(phi, i));

		if (from == phi)
			continue;
		space = is_first ? space_of(from, depth) : common(space, space_of(from, depth));
		is_first = false;
	}
	return space;
}

static unsigned space_of(LLVMValueRef pointer, unsigned depth)
{
	unsigned space;

	pointer = base_of(pointer);
	space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
	if (!is_generic(space) || !depth)
		return is_generic(space) ? (unsigned)SPACE_ANY : space;
	if (LLVMIsAPHINode(pointer))
		return space_of_phi(pointer, depth - 1);
	if (LLVMIsASelectInst(pointer))
		return common(space_of(LLVMGetOperand(pointer, 1), depth - 1),
		              space_of(LLVMGetOperand(pointer, 2), depth - 1));
	return SPACE_ANY;
}

bool cuda_memory_is_private(LLVMValueRef pointer)
{
	return LLVMIsAAllocaInst(base_of(pointer));
}

unsigned cuda_memory_of(LLVMValueRef pointer)
{
	unsigned space = space_of(pointer, DEPTH_MAX);

	if (cuda_memory_is_private(pointer))
		return SPACE_PRIVATE;
	return is_generic(space) ? (unsigned)SPACE_GLOBAL : space;
}

/* Behind casts: the pointer as it was in its memory, if it was; else itself. */
static LLVMValueRef without_casts(LLVMValueRef pointer, unsigned space)
{
	LLVMValueRef from = pointer;

	while (LLVMGetPointerAddressSpace(LLVMTypeOf(from)) != space &&
	       (LLVMIsABitCastInst(from) || LLVMIsAAddrSpaceCastInst(from)) &&
	       LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(from, 0))) == LLVMPointerTypeKind)
		from = LLVMGetOperand(from, 0);
	return LLVMGetPointerAddressSpace(LLVMTypeOf(from)) == space ? from : pointer;
}

LLVMValueRef cuda_memory_pointer(struct cuda_call *c, LLVMValueRef pointer, unsigned *space)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);

	*space = space_of(pointer, DEPTH_MAX);
	if (is_generic(*space))
		*space = SPACE_GLOBAL;
	pointer = without_casts(pointer, *space);
	return cuda_call_cast(c, pointer, LLVMPointerType(LLVMGetElementType(type), *space));
}
