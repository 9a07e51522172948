/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_calls.h"

#include "cuda_call.h"
#include "llvm_api.h"
#include "program.h"
#include "site.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The pointer that casts and address arithmetic start from, or the first that has a memory of its
 * own. */
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

/* For a phi. The depth limits paths that lead back to it; these count as any memory. */
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

/*
 * The memory that it points into: SPACE_PRIVATE for a variable of the function; SPACE_GLOBAL when
 * unknown.
 */
static unsigned cuda_memory_of(LLVMValueRef pointer)
{
	unsigned space = space_of(pointer, DEPTH_MAX);

	if (cuda_memory_is_private(pointer))
		return SPACE_PRIVATE;
	return is_generic(space) ? (unsigned)SPACE_GLOBAL : space;
}

/* Strip casts: the pointer as it was in its memory, if there was one; else the pointer itself. */
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
	return cuda_call_cast(c, pointer, llvm_pointer_in(type, *space));
}

/*
 * Calls and inline PTX that load, store, copy and prefetch: accesses of the program, like its other
 * loads and stores.
 */

enum { PREFETCHED_BYTES = 32 };

static bool is_alignment(LLVMValueRef number)
{
	uint64_t n = LLVMConstIntGetZExtValue(number);

	return n && n <= 4096 && !(n & (n - 1));
}

/*
 * Argument `i`, a pointer or an integer that may have been one, as a pointer to `type` in the
 * memory that it points into; NULL when it is neither.
 */
static LLVMValueRef pointer_to(struct cuda_call *c, unsigned i, LLVMTypeRef type)
{
	LLVMValueRef pointer = i < cuda_call_count(c) ? cuda_call_argument(c, i) : NULL;
	unsigned space = SPACE_GLOBAL;

	if (pointer && LLVMIsAPtrToIntInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	if (!pointer || !LLVMTypeIsSized(type))
		return NULL;
	if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind)
		pointer = cuda_memory_is_private(pointer) ? pointer
		                                          : cuda_memory_pointer(c, pointer, &space);
	else if (LLVMTypeOf(pointer) != cuda_call_int(c, 64))
		return NULL;
	if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind)
		space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
	return cuda_call_cast(c, pointer, LLVMPointerType(type, space));
}

static int refuse_types(struct cuda_call *c)
{
	return cuda_call_refuse(c, "is called with argument types that it does not take");
}

/* (pointer[, alignment]) */
int cuda_kind_load(struct cuda_call *c)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);
	LLVMValueRef alignment = cuda_call_count(c) > 1 ? cuda_call_argument(c, 1) : NULL;
	LLVMValueRef pointer = pointer_to(c, 0, type), load;

	if (!pointer)
		return refuse_types(c);
	load = LLVMBuildLoad2(c->b, type, pointer, "");
	if (alignment && LLVMIsAConstantInt(alignment) && is_alignment(alignment))
		LLVMSetAlignment(load, (unsigned)LLVMConstIntGetZExtValue(alignment));
	return cuda_call_replace(c, load);
}

/* (pointer, value) */
int cuda_kind_store(struct cuda_call *c)
{
	LLVMValueRef value = cuda_call_count(c) == 2 ? cuda_call_argument(c, 1) : NULL;
	LLVMValueRef pointer = value ? pointer_to(c, 0, LLVMTypeOf(value)) : NULL;

	if (!pointer)
		return refuse_types(c);
	LLVMBuildStore(c->b, value, pointer);
	return cuda_call_replace(c, NULL);
}

int cuda_kind_prefetch(struct cuda_call *c)
{
	LLVMValueRef arguments[2] = { pointer_to(c, 0, cuda_call_int(c, 8)),
		                      cuda_call_number(c, 64, PREFETCHED_BYTES) };

	if (!arguments[0])
		return refuse_types(c);
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(arguments[0])) == SPACE_GLOBAL)
		cuda_call_library(c, "prefetch", CUDA_EFFECT,
		                  LLVMVoidTypeInContext(c->program->context), arguments, 2);
	return cuda_call_replace(c, NULL);
}

int cuda_kind_is_space(struct cuda_call *c)
{
	unsigned wanted = (unsigned)strtoul(c->target, NULL, 10);

	if (!cuda_call_has_pointer(c, 0))
		return cuda_call_refuse(c, "is called with argument types that it does not take");
	return cuda_call_replace(
		c, cuda_call_number(c, 1, cuda_memory_of(cuda_call_argument(c, 0)) == wanted));
}

/* (to, from): a load and a store of that many bytes. */
int cuda_kind_copy(struct cuda_call *c)
{
	unsigned words = (unsigned)strtoul(c->target, NULL, 10) / 4;
	LLVMTypeRef type = cuda_call_int(c, 32);
	LLVMValueRef from, to;

	if (words > 1)
		type = LLVMVectorType(type, words);
	from = pointer_to(c, 1, type);
	to = pointer_to(c, 0, type);
	if (!from || !to)
		return refuse_types(c);
	LLVMBuildStore(c->b, LLVMBuildLoad2(c->b, type, from, ""), to);
	return cuda_call_replace(c, NULL);
}

/* An atomic operation by its name, and where OpenCL has it: the letters of its value types. */
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

/* In the order of LLVM's enum, the same in all versions. */
static const char *name_of(LLVMAtomicRMWBinOp op)
{
	static const char *const names[] = { "xchg", "add",  "sub",  "and",  "nand", "or",
		                             "xor",  "max",  "min",  "umax", "umin", "fadd",
		                             "fsub", "fmax", "fmin", "inc",  "dec" };

	return (size_t)op < sizeof(names) / sizeof(names[0]) ? names[op] : "";
}

/* "_Z10atomic_addPU3AS1Vii" and so on. */
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

/* The width of a value that atomics accept, or 0. */
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

/* The value before the operation, or NULL; takes `count` values of one type. */
static LLVMValueRef make(struct cuda_call *c, const struct operation *o, LLVMValueRef pointer,
                         LLVMValueRef *values, unsigned count)
{
	LLVMTypeRef type = LLVMTypeOf(values[0]);
	unsigned bits = width_of(c, type);
	bool is_plain = o->opencl && bits >= 32;
	LLVMValueRef arguments[3];
	unsigned space;
	char name[64];

	/* Bitwise operations take floats as integers. */
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

/* Why an atomic is unsupported, or NULL. */
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

/* cmpxchg returns the old value and whether it was the expected one. */
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
		return cuda_call_refuse(c, "is called with arguments that it does not take");
	for (unsigned i = 1; i < count; i++)
		values[i - 1] = cuda_call_argument(c, i);
	return replace(c, find_operation(c->target, strlen(c->target)), cuda_call_argument(c, 0),
	               values, count - 1);
}
