/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls and inline PTX that load, store, copy and prefetch: accesses of the program's, as the loads
 * and stores that it has anyway.
 */
#include "cuda_call.h"
#include "cuda_kinds.h"
#include "cuda_memory.h"
#include "program.h"
#include "site.h"

#include <llvm-c/Core.h>

#include <stdlib.h>

enum { PREFETCHED_BYTES = 32 };

static bool is_alignment(LLVMValueRef number)
{
	uint64_t n = LLVMConstIntGetZExtValue(number);

	return n && n <= 4096 && !(n & (n - 1));
}

/*
 * Argument `i`, a pointer or a number that may have been one, as a pointer to `type` in the memory
 * that it points into; NULL when it is neither.
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
	return cuda_call_refuse(c, "is called with types that it does not have");
}

/* The pointer, and how it is aligned, if that is said. */
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
		return cuda_call_refuse(c, "is called with types that it does not have");
	return cuda_call_replace(
		c, cuda_call_number(c, 1, cuda_memory_of(cuda_call_argument(c, 0)) == wanted));
}

/* (to, from): a load and a store of so many bytes. */
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
