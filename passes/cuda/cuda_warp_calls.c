/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits for other work-items: warpline_cuda_sync(kind, mask, value, argument) among those of a
 * warp, warpline_cuda_group_sync(kind, value) among those of a work-group (sync_kinds.def).
 */
#include "cuda_call.h"
#include "cuda_calls.h"
#include "sync_kind.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <string.h>

enum { PREDICATE_BIT = 32, SEGMENT_SHIFT = 16, LANE_MASK = 31, SEGMENT_MASK = 0x1f1f };

static const char *const kinds[] = {
#define SYNC_KIND(NAME) #NAME,
#include "sync_kinds.def"
#undef SYNC_KIND
};

static LLVMValueRef kind_of(const struct cuda_call *c)
{
	uint64_t kind = 0;

	while (strcmp(kinds[kind], c->target) != 0)
		kind++;
	return cuda_call_number(c, 32, kind);
}

static LLVMValueRef all_lanes(const struct cuda_call *c)
{
	return cuda_call_number(c, 32, 0xffffffff);
}

/* The i64 that the function gives, or NULL. Arguments of other types are cast, where they can be.
 */
static LLVMValueRef sync(struct cuda_call *c, LLVMValueRef mask, LLVMValueRef value,
                         LLVMValueRef argument)
{
	LLVMTypeRef i64 = cuda_call_int(c, 64);
	LLVMValueRef arguments[4] = { kind_of(c), cuda_call_cast(c, mask, cuda_call_int(c, 32)),
		                      cuda_call_cast(c, value, i64), argument };

	if (!arguments[1] || !arguments[2])
		return NULL;
	return cuda_call_make(c, "warpline_cuda_sync", CUDA_TOGETHER, i64, arguments, 4);
}

/* The call with `first` arguments before those that it may lack: whether it has them all. */
static bool has_arguments(const struct cuda_call *c, unsigned count)
{
	return cuda_call_count(c) == count;
}

static int refuse_arguments(struct cuda_call *c)
{
	return cuda_call_refuse(c, "is called with arguments that it does not have");
}

/* {value, predicate} where the result is a pair; else the value. */
static LLVMValueRef with_predicate(struct cuda_call *c, LLVMValueRef result)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction), first;
	LLVMValueRef value, predicate, pair;

	if (!result || LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return result;
	first = LLVMStructGetTypeAtIndex(type, 0);
	predicate = LLVMBuildLShr(c->b, result, cuda_call_number(c, 64, PREDICATE_BIT), "");
	predicate = LLVMBuildTrunc(c->b, predicate, cuda_call_int(c, 1), "");
	value = LLVMBuildTrunc(c->b, result, cuda_call_int(c, 32), "");
	value = cuda_call_cast(c, value, first);
	if (!value || LLVMCountStructElementTypes(type) != 2 ||
	    LLVMStructGetTypeAtIndex(type, 1) != cuda_call_int(c, 1))
		return NULL;
	pair = LLVMBuildInsertValue(c->b, LLVMGetUndef(type), value, 0, "");
	return LLVMBuildInsertValue(c->b, pair, predicate, 1, "");
}

/* The low 32 bits, where the result is a float or a predicate is behind it. */
static int replace_with_word(struct cuda_call *c, LLVMValueRef result)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);

	if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
		return cuda_call_replace(c, with_predicate(c, result));
	if (result)
		result = LLVMBuildTrunc(c->b, result, cuda_call_int(c, 32), "");
	return cuda_call_replace(c, result);
}

/* b in the low half and c, the clamp and the segments, in the high one. */
static LLVMValueRef shuffle_argument(struct cuda_call *c, LLVMValueRef b, LLVMValueRef clamp)
{
	LLVMTypeRef i32 = cuda_call_int(c, 32);

	if (LLVMTypeOf(b) != i32 || LLVMTypeOf(clamp) != i32)
		return NULL;
	b = LLVMBuildAnd(c->b, b, cuda_call_number(c, 32, LANE_MASK), "");
	clamp = LLVMBuildAnd(c->b, clamp, cuda_call_number(c, 32, SEGMENT_MASK), "");
	clamp = LLVMBuildShl(c->b, clamp, cuda_call_number(c, 32, SEGMENT_SHIFT), "");
	return LLVMBuildOr(c->b, b, clamp, "");
}

static LLVMValueRef as_word(struct cuda_call *c, LLVMValueRef value)
{
	return cuda_call_cast(c, value, cuda_call_int(c, 32));
}

/* (mask, value, b, c), or without the mask: all lanes. */
int cuda_kind_shuffle(struct cuda_call *c)
{
	unsigned first = has_arguments(c, 4) ? 1 : 0;
	LLVMValueRef argument, value;

	if (!first && !has_arguments(c, 3))
		return refuse_arguments(c);
	argument = shuffle_argument(c, cuda_call_argument(c, first + 1),
	                            cuda_call_argument(c, first + 2));
	value = as_word(c, cuda_call_argument(c, first));
	if (!argument || !value)
		return refuse_arguments(c);
	return replace_with_word(
		c, sync(c, first ? cuda_call_argument(c, 0) : all_lanes(c), value, argument));
}

/* (mask, predicate), or without the mask. */
int cuda_kind_vote(struct cuda_call *c)
{
	unsigned first = has_arguments(c, 2) ? 1 : 0;

	if (!first && !has_arguments(c, 1))
		return refuse_arguments(c);
	return cuda_call_replace(c, sync(c, first ? cuda_call_argument(c, 0) : all_lanes(c),
	                                 cuda_call_argument(c, first), cuda_call_number(c, 32, 0)));
}

/* (mask, value) of 32 or 64 bits: the lanes with the same value. */
int cuda_kind_match(struct cuda_call *c)
{
	if (!has_arguments(c, 2))
		return refuse_arguments(c);
	return replace_with_word(c, sync(c, cuda_call_argument(c, 0), cuda_call_argument(c, 1),
	                                 cuda_call_number(c, 32, 0)));
}

/* (value, mask). */
int cuda_kind_reduce(struct cuda_call *c)
{
	if (!has_arguments(c, 2))
		return refuse_arguments(c);
	return cuda_call_replace(c, sync(c, cuda_call_argument(c, 1), cuda_call_argument(c, 0),
	                                 cuda_call_number(c, 32, 0)));
}

/* (mask), or nothing, which is all lanes. */
int cuda_kind_warp(struct cuda_call *c)
{
	LLVMValueRef zero = cuda_call_number(c, 64, 0), result;

	result = sync(c, cuda_call_count(c) ? cuda_call_argument(c, 0) : all_lanes(c), zero,
	              cuda_call_number(c, 32, 0));
	return cuda_call_replace(c, result);
}

/* (predicate), an integer that is 0 or not. */
int cuda_kind_group(struct cuda_call *c)
{
	LLVMTypeRef i64 = cuda_call_int(c, 64);
	LLVMValueRef predicate, arguments[2];
	bool is_numbered = has_arguments(c, 2); /* as LLVM 22 has it: the barrier's number first */

	if ((!is_numbered && !has_arguments(c, 1)) ||
	    (is_numbered && !LLVMIsNull(cuda_call_argument(c, 0))))
		return refuse_arguments(c);
	predicate = cuda_call_argument(c, is_numbered);
	if (LLVMGetTypeKind(LLVMTypeOf(predicate)) != LLVMIntegerTypeKind)
		return refuse_arguments(c);
	if (LLVMTypeOf(predicate) != cuda_call_int(c, 1))
		predicate = LLVMBuildICmp(c->b, LLVMIntNE, predicate,
		                          LLVMConstNull(LLVMTypeOf(predicate)), "");
	arguments[0] = kind_of(c);
	arguments[1] = LLVMBuildZExt(c->b, predicate, i64, "");
	return cuda_call_replace(
		c, cuda_call_make(c, "warpline_cuda_group_sync", CUDA_TOGETHER, i64, arguments, 2));
}
