/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_arithmetic.h"

#include <math.h>
#include <stdint.h>

#define AMOUNT_BITS 32

static unsigned width_of(LLVMValueRef value)
{
	return LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

static LLVMValueRef like(LLVMValueRef value, uint64_t number)
{
	return LLVMConstInt(LLVMTypeOf(value), number, 0);
}

/* Whether a value is certain to be below `limit`: a constant, or masked to a few bits. */
static bool is_below(LLVMValueRef value, uint64_t limit)
{
	LLVMValueRef mask;

	if (LLVMIsAConstantInt(value))
		return LLVMConstIntGetZExtValue(value) < limit;
	if (LLVMIsAZExtInst(value))
		return is_below(LLVMGetOperand(value, 0), limit) ||
		       width_of(LLVMGetOperand(value, 0)) < 64 - (unsigned)__builtin_clzll(limit);
	if (!LLVMIsABinaryOperator(value))
		return false;
	mask = LLVMGetOperand(value, 1);
	if (!LLVMIsAConstantInt(mask))
		return false;
	if (LLVMGetInstructionOpcode(value) == LLVMAnd)
		return LLVMConstIntGetZExtValue(mask) < limit;
	return LLVMGetInstructionOpcode(value) == LLVMURem &&
	       LLVMConstIntGetZExtValue(mask) <= limit;
}

static LLVMValueRef build_shift(LLVMBuilderRef b, LLVMOpcode opcode, LLVMValueRef value,
                                LLVMValueRef amount)
{
	amount = LLVMBuildIntCast2(b, amount, LLVMTypeOf(value), 0, "");
	return LLVMBuildBinOp(b, opcode, value, amount, "");
}

LLVMValueRef gpu_shift(LLVMBuilderRef b, LLVMOpcode opcode, LLVMValueRef value, LLVMValueRef amount)
{
	unsigned width = width_of(value);
	LLVMValueRef is_inside, least;

	if (is_below(amount, width))
		return build_shift(b, opcode, value, amount);
	if (width_of(amount) != AMOUNT_BITS)
		amount = LLVMBuildIntCast2(
			b, amount,
			LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)), AMOUNT_BITS), 0,
			"");
	is_inside = LLVMBuildICmp(b, LLVMIntULT, amount, like(amount, width), "");
	least = LLVMBuildSelect(b, is_inside, amount, like(amount, width - 1), "");
	value = build_shift(b, opcode, value, least);
	if (opcode == LLVMAShr)
		return value;
	return LLVMBuildSelect(b, is_inside, value, like(value, 0), "");
}

/* Whether LLVM defines division by y for every dividend. */
static bool is_plain_divisor(LLVMValueRef y, bool is_signed)
{
	return LLVMIsAConstantInt(y) && !LLVMIsNull(y) &&
	       !(is_signed && LLVMConstIntGetSExtValue(y) == -1);
}

LLVMValueRef gpu_divide(LLVMBuilderRef b, LLVMOpcode opcode, LLVMValueRef x, LLVMValueRef y)
{
	bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
	bool is_rest = opcode == LLVMURem || opcode == LLVMSRem;
	LLVMValueRef zero = like(x, 0), all = LLVMConstAllOnes(LLVMTypeOf(x));
	LLVMValueRef is_zero = LLVMBuildICmp(b, LLVMIntEQ, y, zero, ""), is_odd = is_zero;
	LLVMValueRef is_minus = LLVMBuildICmp(b, LLVMIntEQ, y, all, ""), result;

	if (is_plain_divisor(y, is_signed))
		return LLVMBuildBinOp(b, opcode, x, y, "");
	if (is_signed)
		is_odd = LLVMBuildOr(b, is_zero, is_minus, "");
	result = LLVMBuildBinOp(b, opcode, x, LLVMBuildSelect(b, is_odd, like(y, 1), y, ""), "");
	if (is_signed)
		result = LLVMBuildSelect(b, is_minus, is_rest ? zero : LLVMBuildNeg(b, x, ""),
		                         result, "");
	return LLVMBuildSelect(b, is_zero, all, result, "");
}

LLVMValueRef gpu_to_integer(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef type, bool is_signed)
{
	unsigned bits = LLVMGetIntTypeWidth(type);
	LLVMTypeRef from = LLVMTypeOf(value);
	double limit = ldexp(1, (int)(is_signed ? bits - 1 : bits));
	LLVMValueRef past = LLVMConstReal(from, limit);
	LLVMValueRef least = LLVMConstReal(from, is_signed ? -limit : 0);
	LLVMValueRef top = LLVMConstInt(type, (uint64_t)1 << (bits - 1), 0);
	LLVMValueRef zero = LLVMConstInt(type, 0, 0);
	LLVMValueRef most = is_signed ? LLVMConstNot(top) : LLVMConstAllOnes(type);
	LLVMValueRef is_large = LLVMBuildFCmp(b, LLVMRealOGE, value, past, "");
	LLVMValueRef is_small = LLVMBuildFCmp(b, LLVMRealOLT, value, least, "");
	LLVMValueRef is_none = LLVMBuildFCmp(b, LLVMRealUNO, value, value, ""), is_odd, result;
	bool is_wide = LLVMGetTypeKind(from) == LLVMDoubleTypeKind || bits == 64;

	is_odd = LLVMBuildOr(b, LLVMBuildOr(b, is_large, is_small, ""), is_none, "");
	value = LLVMBuildSelect(b, is_odd, LLVMConstReal(from, 0), value, "");
	result = is_signed ? LLVMBuildFPToSI(b, value, type, "")
	                   : LLVMBuildFPToUI(b, value, type, "");
	result = LLVMBuildSelect(b, is_large, most, result, "");
	result = LLVMBuildSelect(b, is_small, is_signed ? top : zero, result, "");
	return LLVMBuildSelect(b, is_none, is_wide ? top : zero, result, "");
}
