/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_kinds.h"

#include "cuda_call.h"
#include "cuda_calls.h"
#include "cuda_memory.h"
#include "program.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_MEMORIES = 3 }; /* CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE */

/* The call's own arguments, or 0 when there are too many of them. */
static unsigned arguments_of(const struct cuda_call *c, LLVMValueRef *arguments)
{
	unsigned count = cuda_call_count(c);

	if (count > CUDA_CALL_ARGUMENTS_MAX)
		return 0;
	for (unsigned i = 0; i < count; i++)
		arguments[i] = cuda_call_argument(c, i);
	return count;
}

/* Whether a type is what stands for it in mangled names: i j of 32 bits, l m of 64, f, d. */
static bool is_of_letter(LLVMTypeRef type, char letter)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	switch (letter) {
	case 'i':
	case 'j':
		return kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32;
	case 'l':
	case 'm':
		return kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64;
	case 'f':
		return kind == LLVMFloatTypeKind;
	case 'd':
		return kind == LLVMDoubleTypeKind;
	default:
		return false;
	}
}

/*
 * Whether the arguments are those of a mangled name whose parameters are single letters; the result
 * of all functions in the table is of the type of the first.
 */
static bool takes_arguments(const char *symbol, LLVMTypeRef result, LLVMValueRef *arguments,
                            unsigned count)
{
	char *name;
	size_t length = strtoul(symbol + 2, &name, 10);

	if (!count || strlen(name) != length + count || result != LLVMTypeOf(arguments[0]))
		return false;
	for (unsigned i = 0; i < count; i++)
		if (!is_of_letter(LLVMTypeOf(arguments[i]), name[length + i]))
			return false;
	return true;
}

int cuda_kind_builtin(struct cuda_call *c)
{
	LLVMValueRef arguments[CUDA_CALL_ARGUMENTS_MAX], value;
	unsigned count = arguments_of(c, arguments);

	if (!takes_arguments(c->target, LLVMTypeOf(c->instruction), arguments, count))
		return cuda_call_refuse(c, "is called with types that it does not have");
	value = cuda_call_make(c, c->target, CUDA_PURE, LLVMTypeOf(c->instruction), arguments,
	                       count);
	return cuda_call_replace(c, value);
}

int cuda_kind_library(struct cuda_call *c)
{
	LLVMValueRef arguments[CUDA_CALL_ARGUMENTS_MAX], value;
	unsigned count = arguments_of(c, arguments);

	value = cuda_call_library(c, c->target, CUDA_PURE, LLVMTypeOf(c->instruction), arguments,
	                          count);
	return cuda_call_replace(c, value);
}

int cuda_kind_item(struct cuda_call *c)
{
	LLVMValueRef dimension = cuda_call_number(c, 32, (uint64_t)(c->target[0] - '0')), value;

	value = cuda_call_make(c, c->target + 1, CUDA_PURE, cuda_call_int(c, 64), &dimension, 1);
	return cuda_call_replace(c, value);
}

int cuda_kind_number(struct cuda_call *c)
{
	return cuda_call_replace(c, cuda_call_number(c, 32, strtoul(c->target, NULL, 10)));
}

int cuda_kind_value(struct cuda_call *c)
{
	if (!cuda_call_count(c))
		return cuda_call_refuse(c, "is called with arguments that it does not have");
	return cuda_call_replace(c, cuda_call_argument(c, 0));
}

int cuda_kind_nothing(struct cuda_call *c)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);

	return cuda_call_replace(c, LLVMTypeIsSized(type) ? LLVMConstNull(type) : NULL);
}

/* Of barriers with a number only the first is one of OpenCL's. */
int cuda_kind_barrier(struct cuda_call *c)
{
	LLVMValueRef number = cuda_call_count(c) ? cuda_call_argument(c, 0) : NULL, flags;
	LLVMTypeRef nothing = LLVMVoidTypeInContext(c->program->context);

	if (number && (!LLVMIsAConstantInt(number) || LLVMConstIntGetZExtValue(number)))
		return cuda_call_refuse(c, "is a barrier with a number other than 0");
	flags = cuda_call_number(c, 32, ALL_MEMORIES);
	cuda_call_make(c, "_Z7barrierj", CUDA_TOGETHER, nothing, &flags, 1);
	return cuda_call_replace(c, NULL);
}

/* Not OpenCL's mem_fence(), which the SPIR libraries of some devices lack. */
int cuda_kind_fence(struct cuda_call *c)
{
	cuda_call_library(c, "fence", CUDA_EFFECT, LLVMVoidTypeInContext(c->program->context), NULL,
	                  0);
	return cuda_call_replace(c, NULL);
}

int cuda_kind_clock(struct cuda_call *c)
{
	LLVMValueRef clock = cuda_call_variable(c, CUDA_CLOCK, cuda_call_int(c, 64));

	return cuda_call_replace(
		c, cuda_call_library(c, "clock", CUDA_EFFECT, cuda_call_int(c, 64), &clock, 1));
}

int cuda_kind_nan(struct cuda_call *c)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);

	if (LLVMGetTypeKind(type) != LLVMFloatTypeKind &&
	    LLVMGetTypeKind(type) != LLVMDoubleTypeKind)
		return cuda_call_refuse(c, "is called with types that it does not have");
	return cuda_call_replace(c, LLVMConstRealOfString(type, "nan"));
}

/* The function of that name, of OpenCL where it is mangled, on those arguments that are no
 * pointers. */
static LLVMValueRef result(struct cuda_call *c, const char *name, LLVMTypeRef type)
{
	LLVMValueRef arguments[CUDA_CALL_ARGUMENTS_MAX];
	unsigned count = arguments_of(c, arguments), values = 0;

	while (values < count &&
	       LLVMGetTypeKind(LLVMTypeOf(arguments[values])) != LLVMPointerTypeKind)
		values++;
	if (name[0] != '_')
		return cuda_call_library(c, name, CUDA_PURE, type, arguments, values);
	return takes_arguments(name, type, arguments, values)
	               ? cuda_call_make(c, name, CUDA_PURE, type, arguments, values)
	               : NULL;
}

/* Store a result where argument `i` points; 1 when that cannot be. */
static int store_result(struct cuda_call *c, const char *name, unsigned i)
{
	LLVMValueRef pointer, value;
	unsigned space;

	if (i >= cuda_call_count(c) || !cuda_call_has_pointer(c, i))
		return 1;
	pointer = cuda_memory_is_private(cuda_call_argument(c, i))
	                  ? cuda_call_argument(c, i)
	                  : cuda_memory_pointer(c, cuda_call_argument(c, i), &space);
	value = result(c, name, LLVMGetElementType(LLVMTypeOf(pointer)));
	if (!value)
		return 1;
	LLVMBuildStore(c->b, value, pointer);
	return 0;
}

/* The names in the target: the result of the call first where it has one. */
int cuda_kind_results(struct cuda_call *c)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);
	bool has_result = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
	unsigned pointers = has_result ? 1 : 2, first = cuda_call_count(c) - pointers;
	char names[2][64] = { "", "" };
	LLVMValueRef value = NULL;
	int failed = 0;

	if (sscanf(c->target, "%63s %63s", names[0], names[1]) != 2 ||
	    cuda_call_count(c) <= pointers)
		return cuda_call_refuse(c, "is called with arguments that it does not have");
	if (has_result)
		value = result(c, names[0], type);
	for (unsigned i = 0; i < pointers; i++)
		failed |= store_result(c, names[2 - pointers + i], first + i);
	if (!c->ret && (failed || (has_result && !value)))
		return cuda_call_refuse(c, "is called with types that it does not have");
	return cuda_call_replace(c, value);
}

int cuda_kind_refused(struct cuda_call *c)
{
	return cuda_call_refuse(c, c->target);
}
