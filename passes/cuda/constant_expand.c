/* SPDX-License-Identifier: Apache-2.0 */
#include "constant_expand.h"

#include "err.h"
#include "retarget_globals.h"
#include "retarget_private.h"

#include <stdbool.h>

struct expansion {
	const struct retarget_global *list;
	size_t count;
	LLVMBuilderRef builder;
	struct err *err;
	int ret;
};

static const struct retarget_global *find(const struct expansion *x, LLVMValueRef value)
{
	for (size_t i = 0; i < x->count; i++)
		if (x->list[i].variable == value)
			return &x->list[i];
	return NULL;
}

/* Whether a constant is made of one of the variables. */
static bool mentions(const struct expansion *x, LLVMValueRef value)
{
	int count;

	if (!LLVMIsAConstant(value) || LLVMIsAFunction(value))
		return false;
	if (LLVMIsAGlobalVariable(value))
		return find(x, value) != NULL;
	count = LLVMGetNumOperands(value);
	for (int i = 0; i < count; i++)
		if (mentions(x, LLVMGetOperand(value, (unsigned)i)))
			return true;
	return false;
}

static LLVMValueRef fail(struct expansion *x, LLVMValueRef constant)
{
	x->ret = err_set(x->err, ERR_UNSUPPORTED,
	                 "an address of a variable is part of a constant of an unknown kind");
	return LLVMGetUndef(LLVMTypeOf(constant));
}

static LLVMTypeRef moved(LLVMTypeRef type, LLVMValueRef operand)
{
	return LLVMPointerType(LLVMGetElementType(type),
	                       LLVMGetPointerAddressSpace(LLVMTypeOf(operand)));
}

/* A pointer of the given type; of the same if it is in the same memory. */
static LLVMValueRef cast(struct expansion *x, LLVMValueRef value, LLVMTypeRef type)
{
	if (LLVMTypeOf(value) == type)
		return value;
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == LLVMGetPointerAddressSpace(type))
		return LLVMBuildBitCast(x->builder, value, type, "");
	value = LLVMBuildBitCast(x->builder, value, moved(type, value), "");
	return LLVMBuildAddrSpaceCast(x->builder, value, type, "");
}

static LLVMValueRef expand(struct expansion *x, LLVMValueRef value);

static LLVMValueRef expand_gep(struct expansion *x, LLVMValueRef constant, LLVMValueRef base)
{
	LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(constant, 0)));
	LLVMValueRef indices[16];
	int count = LLVMGetNumOperands(constant) - 1;

	if (count > (int)(sizeof(indices) / sizeof(indices[0])))
		return fail(x, constant);
	for (int i = 0; i < count; i++)
		indices[i] = expand(x, LLVMGetOperand(constant, (unsigned)i + 1));
	if (LLVMIsInBounds(constant))
		return LLVMBuildInBoundsGEP2(x->builder, element, base, indices, (unsigned)count,
		                             "");
	return LLVMBuildGEP2(x->builder, element, base, indices, (unsigned)count, "");
}

static LLVMValueRef expand_binary(struct expansion *x, LLVMValueRef constant, LLVMOpcode opcode)
{
	LLVMValueRef a = expand(x, LLVMGetOperand(constant, 0));
	LLVMValueRef b = expand(x, LLVMGetOperand(constant, 1));

	return LLVMBuildBinOp(x->builder, opcode, a, b, "");
}

static LLVMValueRef expand_expression(struct expansion *x, LLVMValueRef constant)
{
	LLVMOpcode opcode = LLVMGetConstOpcode(constant);
	LLVMTypeRef type = LLVMTypeOf(constant);
	LLVMValueRef first = expand(x, LLVMGetOperand(constant, 0));

	switch ((int)opcode) {
	case LLVMBitCast:
		return LLVMBuildBitCast(x->builder, first, moved(type, first), "");
	case LLVMAddrSpaceCast:
		return cast(x, first, type);
	case LLVMGetElementPtr:
		return expand_gep(x, constant, first);
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
		return LLVMBuildCast(x->builder, opcode, first, type, "");
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		return expand_binary(x, constant, opcode);
	default:
		return fail(x, constant);
	}
}

/* A structure, list or vector, piece by piece. */
static LLVMValueRef expand_aggregate(struct expansion *x, LLVMValueRef constant)
{
	LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(constant)));
	LLVMValueRef whole = LLVMGetUndef(LLVMTypeOf(constant));
	int count = LLVMGetNumOperands(constant);

	for (int i = 0; i < count; i++) {
		LLVMValueRef piece = LLVMGetOperand(constant, (unsigned)i);

		piece = cast(x, expand(x, piece), LLVMTypeOf(piece));
		whole = LLVMIsAConstantVector(constant)
		                ? LLVMBuildInsertElement(x->builder, whole, piece,
		                                         LLVMConstInt(number, (unsigned)i, 0), "")
		                : LLVMBuildInsertValue(x->builder, whole, piece, (unsigned)i, "");
	}
	return whole;
}

static LLVMValueRef expand(struct expansion *x, LLVMValueRef value)
{
	const struct retarget_global *found = find(x, value);

	if (found)
		return found->replacement;
	if (!mentions(x, value))
		return value;
	if (LLVMIsAConstantExpr(value))
		return expand_expression(x, value);
	if (LLVMIsAConstantStruct(value) || LLVMIsAConstantArray(value) ||
	    LLVMIsAConstantVector(value))
		return expand_aggregate(x, value);
	return fail(x, value);
}

/* A value that comes into a phi is made where the flow comes from. */
static void place_builder(struct expansion *x, LLVMValueRef instruction, unsigned operand)
{
	if (LLVMIsAPHINode(instruction))
		instruction =
			LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, operand));
	LLVMPositionBuilderBefore(x->builder, instruction);
	LLVMSetCurrentDebugLocation2(x->builder, LLVMInstructionGetDebugLoc(instruction));
}

/* What already comes from the same node into a phi, which must be the same value. */
static LLVMValueRef twin(LLVMValueRef instruction, unsigned operand)
{
	LLVMBasicBlockRef from;

	if (!LLVMIsAPHINode(instruction))
		return NULL;
	from = LLVMGetIncomingBlock(instruction, operand);
	for (unsigned i = 0; i < operand; i++)
		if (LLVMGetIncomingBlock(instruction, i) == from)
			return LLVMGetIncomingValue(instruction, i);
	return NULL;
}

static int expand_operands(void *context, LLVMValueRef instruction, struct err *err)
{
	struct expansion *x = context;
	int count = LLVMGetNumOperands(instruction);

	(void)err;
	for (int i = 0; i < count; i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i), value;

		if (LLVMIsABasicBlock(operand) || !mentions(x, operand))
			continue;
		place_builder(x, instruction, (unsigned)i);
		value = twin(instruction, (unsigned)i);
		if (!value)
			value = cast(x, expand(x, operand), LLVMTypeOf(operand));
		LLVMSetOperand(instruction, (unsigned)i, value);
	}
	return x->ret;
}

int constant_expand(LLVMValueRef function, const struct retarget_global *list, size_t count,
                    struct err *err)
{
	struct expansion x = { .list = list, .count = count, .err = err };
	int ret;

	x.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
	ret = retarget_each(function, expand_operands, &x, err);
	LLVMDisposeBuilder(x.builder);
	return ret;
}
