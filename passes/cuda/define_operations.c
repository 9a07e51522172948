/* SPDX-License-Identifier: Apache-2.0 */
#include "define_operations.h"

#include "gpu_arithmetic.h"
#include "ir_walk.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <string.h>

#define NARROW_BITS 32 /* bits of the narrowest integer that nvcc converts to */

static LLVMTypeRef integer(LLVMValueRef value, unsigned bits)
{
	return LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)), bits);
}

static bool is_integer(LLVMValueRef value)
{
	return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
}

static bool is_real(LLVMValueRef value)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));

	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static LLVMValueRef shift(LLVMBuilderRef b, LLVMValueRef i)
{
	return gpu_shift(b, LLVMGetInstructionOpcode(i), LLVMGetOperand(i, 0),
	                 LLVMGetOperand(i, 1));
}

/*
 * 64-bit division by zero: nvcc divides dividends below 2^32 as 32 bits, so the result has no more.
 */
static LLVMValueRef divide(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1), result, is_short;
	LLVMValueRef least = LLVMConstInt(LLVMTypeOf(x), UINT32_MAX, 0);

	result = gpu_divide(b, LLVMGetInstructionOpcode(i), x, y);
	if (LLVMGetIntTypeWidth(LLVMTypeOf(x)) != 64 || (LLVMIsAConstantInt(y) && !LLVMIsNull(y)))
		return result;
	is_short = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntEQ, y, LLVMConstNull(LLVMTypeOf(y)), ""),
	                        LLVMBuildICmp(b, LLVMIntULE, x, least, ""), "");
	return LLVMBuildSelect(b, is_short, least, result, "");
}

static LLVMValueRef convert(LLVMBuilderRef b, LLVMValueRef i)
{
	bool is_signed = LLVMGetInstructionOpcode(i) == LLVMFPToSI;
	unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(i));
	LLVMTypeRef wide = integer(i, bits < NARROW_BITS ? NARROW_BITS : bits);
	LLVMValueRef result = gpu_to_integer(b, LLVMGetOperand(i, 0), wide, is_signed);

	return LLVMBuildIntCast2(b, result, LLVMTypeOf(i), is_signed, "");
}

/* clang reads the lowest bit of a `bool` in memory. */
static LLVMValueRef read_bool(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef byte = LLVMGetOperand(i, 0);

	return LLVMBuildICmp(b, LLVMIntNE, byte, LLVMConstNull(LLVMTypeOf(byte)), "");
}

static bool is_bool(LLVMValueRef trunc)
{
	LLVMValueRef byte = LLVMGetOperand(trunc, 0);

	return LLVMTypeOf(trunc) == integer(trunc, 1) && LLVMTypeOf(byte) == integer(trunc, 8) &&
	       LLVMIsALoadInst(byte);
}

/* Builds the result of an instruction, before it. */
typedef LLVMValueRef (*definition)(LLVMBuilderRef b, LLVMValueRef i);

/* NULL: LLVM defines the instruction, or its result is not a scalar. */
static definition definition_of(LLVMValueRef i)
{
	switch ((int)LLVMGetInstructionOpcode(i)) {
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		return is_integer(i) ? shift : NULL;
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem:
		return is_integer(i) ? divide : NULL;
	case LLVMFPToUI:
	case LLVMFPToSI:
		return is_integer(i) && is_real(LLVMGetOperand(i, 0)) ? convert : NULL;
	case LLVMTrunc:
		return is_bool(i) ? read_bool : NULL;
	default:
		return NULL;
	}
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/*
 * `x * y + z` in one expression is rounded once, as on GPUs, rather than depending on the device.
 */
static void fuse(LLVMValueRef i, LLVMValueRef function)
{
	static const char fma[] = "llvm.fma";
	LLVMTypeRef type = LLVMTypeOf(i);

	LLVMSetOperand(i, LLVMGetNumArgOperands(i),
	               LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(function),
	                                           LLVMLookupIntrinsicID(fma, sizeof(fma) - 1),
	                                           &type, 1));
}

/*
 * LLVM's calls that promise something: remove the promise. Returns true when the call was erased.
 */
static bool define_call(LLVMValueRef i)
{
	LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(i));
	size_t length;
	const char *name = function ? LLVMGetValueName2(function, &length) : "";

	if (begins(name, "llvm.ctlz.") || begins(name, "llvm.cttz.") || begins(name, "llvm.abs."))
		LLVMSetOperand(i, 1, LLVMConstNull(integer(i, 1)));
	if (begins(name, "llvm.fmuladd."))
		fuse(i, function);
	if (!begins(name, "llvm.assume"))
		return false;
	LLVMInstructionEraseFromParent(i);
	return true;
}

static void drop_promises(LLVMValueRef i)
{
	static const char *const kinds[] = { "range", "nonnull", "noundef", "align" };
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(i));

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
		LLVMSetMetadata(
			i, LLVMGetMDKindIDInContext(context, kinds[k], (unsigned)strlen(kinds[k])),
			NULL);
}

/* A variable that the program reads before setting it is 0. Pointers are left: using them fails
 * anyway. */
static void clear_variable(LLVMBuilderRef b, LLVMValueRef variable)
{
	LLVMTypeRef type = LLVMGetAllocatedType(variable);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	LLVMValueRef behind = LLVMGetNextInstruction(variable);

	if (kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind)
		return;
	while (LLVMIsAAllocaInst(behind))
		behind = LLVMGetNextInstruction(behind);
	LLVMPositionBuilder(b, LLVMGetInstructionParent(variable), behind);
	LLVMSetCurrentDebugLocation2(b, NULL);
	LLVMBuildStore(b, LLVMConstNull(type), variable);
}

static void replace(LLVMBuilderRef b, LLVMValueRef i, definition define)
{
	LLVMPositionBuilderBefore(b, i);
	LLVMReplaceAllUsesWith(i, define(b, i));
	LLVMInstructionEraseFromParent(i);
}

static void define_instruction(LLVMBuilderRef b, LLVMValueRef i)
{
	definition define = definition_of(i);

	if (LLVMIsACallInst(i) && define_call(i))
		return;
	if (LLVMIsALoadInst(i) || LLVMIsACallInst(i))
		drop_promises(i);
	if (LLVMIsAAllocaInst(i))
		clear_variable(b, i);
	if (define)
		replace(b, i, define);
}

/* Visit each instruction of the module; the visit may erase it. */
static void each(LLVMModuleRef module, void (*visit)(LLVMBuilderRef b, LLVMValueRef i))
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	LLVMValueRef f = LLVMGetFirstFunction(module), next;

	for (; f; f = LLVMGetNextFunction(f))
		for (LLVMValueRef i = ir_first(f); i; i = next) {
			next = ir_next(i);
			visit(b, i);
		}
	LLVMDisposeBuilder(b);
}

void define_operations(LLVMModuleRef module)
{
	each(module, define_instruction);
}

static LLVMValueRef wrap(LLVMBuilderRef b, LLVMValueRef i)
{
	return LLVMBuildBinOp(b, LLVMGetInstructionOpcode(i), LLVMGetOperand(i, 0),
	                      LLVMGetOperand(i, 1), "");
}

static void let_wrap(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

	if (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMMul)
		replace(b, i, wrap);
}

void define_overflow(LLVMModuleRef module)
{
	each(module, let_wrap);
}

/* Whether an instruction assembles a value from parts: its base is still undefined. */
static bool puts_together(LLVMValueRef i)
{
	return LLVMIsAInsertValueInst(i) || LLVMIsAInsertElementInst(i) ||
	       LLVMIsAShuffleVectorInst(i) || LLVMIsAPHINode(i);
}

static void define_operands(LLVMBuilderRef b, LLVMValueRef i)
{
	int count = puts_together(i) ? 0 : LLVMGetNumOperands(i);

	(void)b;
	for (int k = 0; k < count; k++) {
		LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);

		if (LLVMIsUndef(operand))
			LLVMSetOperand(i, (unsigned)k, LLVMConstNull(LLVMTypeOf(operand)));
	}
}

void define_values(LLVMModuleRef module)
{
	each(module, define_operands);
}
