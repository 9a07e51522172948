/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_atomics.h"

#include "cuda_call.h"
#include "cuda_kinds.h"
#include "cuda_memory.h"
#include "program.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdio.h>
#include <string.h>

/* What an atomic does, as in names; where OpenCL has it: the letters of its values' type. */
struct operation {
	const char *name, *opencl;
	bool is_unsigned;
};

static const struct operation operations[] = {
	{ "add", "add", false }, { "sub", "sub", false },     { "xchg", "xchg", false },
	{ "and", "and", false }, { "or", "or", false },       { "xor", "xor", false },
	{ "min", "min", false }, { "max", "max", false },     { "umin", "min", true },
	{ "umax", "max", true }, { "cas", "cmpxchg", false }, { "nand", NULL, false },
	{ "fadd", NULL, false }, { "fsub", NULL, false },     { "fmin", NULL, false },
	{ "fmax", NULL, false }, { "inc", NULL, false },      { "dec", NULL, false },
};

static const struct operation *find_operation(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (strlen(operations[i].name) == length &&
		    !memcmp(operations[i].name, name, length))
			return &operations[i];
	return NULL;
}

static const char *name_of(LLVMAtomicRMWBinOp op)
{
	switch (op) {
	case LLVMAtomicRMWBinOpXchg:
		return "xchg";
	case LLVMAtomicRMWBinOpAdd:
		return "add";
	case LLVMAtomicRMWBinOpSub:
		return "sub";
	case LLVMAtomicRMWBinOpAnd:
		return "and";
	case LLVMAtomicRMWBinOpNand:
		return "nand";
	case LLVMAtomicRMWBinOpOr:
		return "or";
	case LLVMAtomicRMWBinOpXor:
		return "xor";
	case LLVMAtomicRMWBinOpMax:
		return "max";
	case LLVMAtomicRMWBinOpMin:
		return "min";
	case LLVMAtomicRMWBinOpUMax:
		return "umax";
	case LLVMAtomicRMWBinOpUMin:
		return "umin";
	case LLVMAtomicRMWBinOpFAdd:
		return "fadd";
	case LLVMAtomicRMWBinOpFSub:
		return "fsub";
	}
	return "";
}

/* "_Z10atomic_addPU3AS1Vii" and the like. */
static void opencl_symbol(char *text, size_t bytes, const struct operation *o, unsigned bits,
                          unsigned space, unsigned values)
{
	const char *letters =
		bits == 64 ? (o->is_unsigned ? "mm" : "ll") : (o->is_unsigned ? "jj" : "ii");
	const char *begin = bits == 64 ? "atom" : "atomic";

	snprintf(text, bytes, "_Z%zu%s_%sPU3AS%uV%c%.*s", strlen(begin) + 1 + strlen(o->opencl),
	         begin, o->opencl, space, letters[0], (int)values, letters);
}

static char type_letter(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMIntegerTypeKind ? 'i' : 'f';
}

/* The width of a value that atomics take, or 0. */
static unsigned width_of(const struct cuda_call *c, LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	unsigned bits;

	if (kind != LLVMIntegerTypeKind && kind != LLVMFloatTypeKind &&
	    kind != LLVMDoubleTypeKind && kind != LLVMPointerTypeKind)
		return 0;
	bits = (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(c->module), type);
	return bits == 16 || bits == 32 || bits == 64 ? bits : 0;
}

/* The value behind the pointer before, or NULL; `count` values, of one type. */
static LLVMValueRef make(struct cuda_call *c, const struct operation *o, LLVMValueRef pointer,
                         LLVMValueRef *values, unsigned count)
{
	LLVMTypeRef type = LLVMTypeOf(values[0]);
	unsigned bits = width_of(c, type);
	bool is_plain = o->opencl && bits >= 32;
	LLVMValueRef arguments[3];
	unsigned space;
	char name[64];

	/* Operations on bits take what they are given as an integer. */
	if (o->name[0] != 'f')
		type = cuda_call_int(c, bits);
	pointer = cuda_memory_pointer(c, pointer, &space);
	arguments[0] = cuda_call_cast(c, pointer, LLVMPointerType(type, space));
	for (unsigned i = 0; i < count; i++)
		arguments[i + 1] = cuda_call_cast(c, values[i], type);
	if (is_plain) {
		opencl_symbol(name, sizeof(name), o, bits, space, count);
		return cuda_call_make(c, name, CUDA_EFFECT, type, arguments, count + 1);
	}
	snprintf(name, sizeof(name), "atomic_%s_%c%u_%u", o->name, type_letter(type), bits, space);
	return cuda_call_library(c, name, CUDA_EFFECT, type, arguments, count + 1);
}

/* Why an atomic cannot be, or NULL. */
static const char *why_not(const struct cuda_call *c, const struct operation *o,
                           LLVMValueRef pointer, const LLVMValueRef *values, unsigned count)
{
	LLVMTypeRef type = LLVMTypeOf(values[0]);
	unsigned bits = width_of(c, type);
	bool is_float = LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
	                LLVMGetTypeKind(type) == LLVMDoubleTypeKind;

	if (!o)
		return "is an operation that is not there";
	if (!bits || LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind ||
	    (count == 2 && LLVMTypeOf(values[1]) != type))
		return "is on a type that atomics do not have";
	if ((o->name[0] == 'f') != is_float && strcmp(o->name, "xchg") != 0)
		return "is on a type that the operation does not have";
	if (bits == 16 && strcmp(o->name, "cas") != 0)
		return "is on 16 bits, expected 32 or 64";
	if (cuda_memory_is_private(pointer))
		return "is in the memory of one work-item";
	return NULL;
}

/* cmpxchg gives the value before and whether it was the one expected. */
static LLVMValueRef with_success(struct cuda_call *c, LLVMValueRef before, LLVMValueRef expected)
{
	LLVMTypeRef type = LLVMTypeOf(expected);
	LLVMValueRef pair = LLVMGetUndef(LLVMTypeOf(c->instruction));
	LLVMTypeRef bits = LLVMTypeOf(before);
	LLVMValueRef is_equal =
		LLVMBuildICmp(c->b, LLVMIntEQ, before, cuda_call_cast(c, expected, bits), "");

	pair = LLVMBuildInsertValue(c->b, pair, cuda_call_cast(c, before, type), 0, "");
	return LLVMBuildInsertValue(c->b, pair, is_equal, 1, "");
}

static int replace(struct cuda_call *c, const struct operation *o, LLVMValueRef pointer,
                   LLVMValueRef *values, unsigned count)
{
	const char *why = why_not(c, o, pointer, values, count);
	LLVMValueRef before;

	if (why)
		return cuda_call_refuse(c, why);
	before = make(c, o, pointer, values, count);
	if (before && LLVMGetInstructionOpcode(c->instruction) == LLVMAtomicCmpXchg)
		before = with_success(c, before, values[0]);
	return cuda_call_replace(c, before);
}

int cuda_atomic_instruction(struct cuda_call *c)
{
	bool is_compare = LLVMGetInstructionOpcode(c->instruction) == LLVMAtomicCmpXchg;
	LLVMValueRef values[2] = { LLVMGetOperand(c->instruction, 1), NULL };
	const char *name = "cas";

	c->name = "an atomic";
	if (is_compare)
		values[1] = LLVMGetOperand(c->instruction, 2);
	else
		name = name_of(LLVMGetAtomicRMWBinOp(c->instruction));
	return replace(c, find_operation(name, strlen(name)), LLVMGetOperand(c->instruction, 0),
	               values, is_compare ? 2 : 1);
}

/* Intrinsics and functions: (pointer, value[, value]). */
int cuda_kind_atomic(struct cuda_call *c)
{
	unsigned count = cuda_call_count(c);
	LLVMValueRef values[2];

	if (count < 2 || count > 3)
		return cuda_call_refuse(c, "is called with arguments that it does not have");
	for (unsigned i = 1; i < count; i++)
		values[i - 1] = cuda_call_argument(c, i);
	return replace(c, find_operation(c->target, strlen(c->target)), cuda_call_argument(c, 0),
	               values, count - 1);
}
