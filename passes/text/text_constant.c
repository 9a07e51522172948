/* SPDX-License-Identifier: Apache-2.0 */
#include "text_parts.h"

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

#include <math.h>
#include <string.h>

/* The same bits in an integer, which LLVM folds for constants that are numbers. */
bool text_constant_bits(LLVMValueRef constant, uint64_t *bits)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	LLVMContextRef c = LLVMGetTypeContext(type);
	unsigned width;

	switch ((int)LLVMGetTypeKind(type)) {
	case LLVMHalfTypeKind:
		width = 16;
		break;
	case LLVMFloatTypeKind:
		width = 32;
		break;
	case LLVMDoubleTypeKind:
		width = 64;
		break;
	case LLVMIntegerTypeKind:
		width = LLVMGetIntTypeWidth(type);
		break;
	default:
		return false;
	}
	if (width > 64)
		return false;
	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
		constant = LLVMConstBitCast(constant, LLVMIntTypeInContext(c, width));
	if (LLVMIsUndef(constant) || LLVMIsNull(constant)) {
		*bits = 0;
		return true;
	}
	if (!LLVMIsAConstantInt(constant))
		return false;
	*bits = LLVMConstIntGetZExtValue(constant);
	return true;
}

static unsigned element_count(LLVMTypeRef type)
{
	switch ((int)LLVMGetTypeKind(type)) {
	case LLVMVectorTypeKind:
		return LLVMGetVectorSize(type);
	case LLVMArrayTypeKind:
		return LLVMGetArrayLength(type);
	case LLVMStructTypeKind:
		return LLVMCountStructElementTypes(type);
	default:
		return 0;
	}
}

static LLVMTypeRef element_type(LLVMTypeRef type, unsigned index)
{
	return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, index)
	                                                   : LLVMGetElementType(type);
}

LLVMValueRef text_constant_element(LLVMValueRef constant, unsigned index)
{
	LLVMTypeRef type = LLVMTypeOf(constant);

	if (index >= element_count(type))
		return NULL;
	if (LLVMIsNull(constant) || LLVMIsUndef(constant))
		return LLVMConstNull(element_type(type, index));
#if LLVM_VERSION_MAJOR >= 15
	return LLVMGetAggregateElement(constant, index);
#else
	if (LLVMIsAConstantDataSequential(constant))
		return LLVMGetElementAsConstant(constant, index);
	return LLVMIsAConstantExpr(constant) ? NULL : LLVMGetOperand(constant, index);
#endif
}

static void write_integer(struct text_function *f, LLVMTypeRef type, uint64_t bits)
{
	switch (LLVMGetIntTypeWidth(type)) {
	case 64:
		text_put(f, "%lluul", (unsigned long long)bits);
		break;
	case 32:
		text_put(f, "%lluu", (unsigned long long)bits);
		break;
	case 1:
		text_put(f, "%d", bits != 0);
		break;
	default:
		text_put(f, "(%s)%llu", text_type(f, type), (unsigned long long)bits);
	}
}

void text_constant_signed(struct text_function *f, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	unsigned width = LLVMGetIntTypeWidth(type);
	uint64_t bits = 0;
	long long n;

	text_constant_bits(constant, &bits);
	n = (long long)(bits << (64 - width)) >> (64 - width);
	if (width == 64 && bits == 1ull << 63)
		text_put(f, "(-9223372036854775807l - 1l)");
	else if (width == 32 && bits == 1ull << 31)
		text_put(f, "(-2147483647 - 1)");
	else
		text_put(f, n < 0 ? "(%lld%s)" : "%lld%s", n, width == 64 ? "l" : "");
}

/* Finite numbers as hexadecimal literals: exact, and allowed in initialisers. */
static void write_float(struct text_function *f, LLVMTypeRef type, LLVMValueRef constant)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	const char *name = text_type(f, type), *suffix = "";
	LLVMBool loses;
	double value = LLVMConstRealGetDouble(constant, &loses);
	uint64_t bits = 0;

	if (kind == LLVMFloatTypeKind)
		suffix = "f";
	else if (kind == LLVMHalfTypeKind)
		suffix = "h";
	text_constant_bits(constant, &bits);
	if (isfinite(value))
		text_put(f, signbit(value) ? "(%a%s)" : "%a%s", value, suffix);
	else if (kind == LLVMDoubleTypeKind)
		text_put(f, "as_double(0x%llxul)", (unsigned long long)bits);
	else if (kind == LLVMFloatTypeKind)
		text_put(f, "as_float(0x%llxu)", (unsigned long long)bits);
	else
		text_put(f, "as_%s((ushort)0x%llx)", name, (unsigned long long)bits);
}

static void write_vector(struct text_function *f, LLVMTypeRef type, LLVMValueRef constant)
{
	unsigned lanes = LLVMGetVectorSize(type);

	text_put(f, "(%s)(", text_type(f, type));
	for (unsigned i = 0; i < lanes; i++) {
		LLVMValueRef element = text_constant_element(constant, i);

		if (i)
			text_put(f, ", ");
		if (!element)
			text_refuse(f, "a vector constant that is computed");
		else if (text_is_bool(type))
			text_put(f, LLVMIsNull(element) || LLVMIsUndef(element) ? "0" : "-1");
		else
			text_constant(f, element);
	}
	text_put(f, ")");
}

static void write_aggregate(struct text_function *f, LLVMTypeRef type, LLVMValueRef constant)
{
	bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
	unsigned count = element_count(type);
	uint64_t bits;

	/* What is not said is zero. */
	if (count && LLVMIsNull(constant))
		count = 1;
	text_put(f, is_array ? "{ {" : "{");
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef element = text_constant_element(constant, i);

		text_put(f, i ? ", " : " ");
		if (element && LLVMIsAConstantInt(element) &&
		    LLVMGetIntTypeWidth(LLVMTypeOf(element)) <= 16 &&
		    text_constant_bits(element, &bits))
			text_put(f, "%llu", (unsigned long long)bits);
		else if (element)
			text_constant(f, element);
		else
			text_refuse(f, "an aggregate constant that is computed");
	}
	text_put(f, count ? " " : " 0 ");
	text_put(f, is_array ? "} }" : "}");
}

void text_zero(struct text_function *f, LLVMTypeRef type)
{
	LLVMValueRef zero = LLVMConstNull(type);

	if (text_is_pointer(type))
		text_put(f, "(%s)0", text_type(f, type));
	else if (text_is_aggregate(type))
		write_aggregate(f, type, zero);
	else if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		write_vector(f, type, zero);
	else if (text_is_float(type))
		write_float(f, type, zero);
	else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
		write_integer(f, type, 0);
	else
		text_refuse(f, "a constant of a type without a zero");
}

void text_constant(struct text_function *f, LLVMValueRef constant)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	uint64_t bits = 0;

	if (LLVMIsNull(constant) || LLVMIsUndef(constant))
		text_zero(f, type);
	else if (text_is_aggregate(type))
		write_aggregate(f, type, constant);
	else if (LLVMIsAConstantExpr(constant)) {
		text_put(f, "(");
		if (!text_operation(f, constant) && !text_pointer_operation(f, constant))
			text_refuse(f, "a constant expression of opcode %d",
			            (int)text_opcode(constant));
		text_put(f, ")");
	} else if (LLVMIsAGlobalValue(constant))
		text_global(f, constant);
	else if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		write_vector(f, type, constant);
	else if (text_is_float(type))
		write_float(f, type, constant);
	else if (LLVMIsAConstantInt(constant) && text_constant_bits(constant, &bits) &&
	         *text_type(f, type))
		write_integer(f, type, bits);
	else
		text_refuse(f, "an unknown kind of constant");
}
