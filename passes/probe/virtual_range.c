/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A slice is a launch of its own, with an offset: get_global_id() and queries of the local range
 * are correct, and the rest is answered from the header. get_group_id() is the launch's own plus a
 * value in the header. So are NVPTX's special registers, from which global ids are computed there.
 */
#include "insertion.h"

#include "builtin.h"
#include "nvvm.h"
#include "probe_abi.h"

#include <stddef.h>
#include <string.h>

#define DIMENSIONS 3u
#define LINEAR     "get_global_linear_id"

enum query {
	QUERY_get_group_id,
	QUERY_get_num_groups,
	QUERY_get_global_size,
	QUERY_get_global_offset,
	QUERY_COUNT
};

/*
 * Queries about one dimension of the NDRange whose answers a slice would change. For a dimension
 * that does not exist, the device answers.
 */
static const struct {
	const char *name;
	size_t offset;    /* in the header: the application's answer */
	const char *sreg; /* NVPTX's register for it, or "" */
} queries[] = {
	{ "get_group_id", offsetof(struct probe_header, group_first), "ctaid" },
	{ "get_num_groups", offsetof(struct probe_header, group_count), "nctaid" },
	{ "get_global_size", offsetof(struct probe_header, global_size), "" },
	{ "get_global_offset", offsetof(struct probe_header, global_offset), "" },
};

struct virtual_range {
	struct insertion *in;
	LLVMBuilderRef entry;                         /* where answers are loaded */
	LLVMValueRef answer[QUERY_COUNT][DIMENSIONS]; /* i64; NULL: not loaded yet */
};

static bool is_named(LLVMValueRef call, const char *name)
{
	LLVMValueRef called = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
	const char *found;
	size_t length;

	if (!called || !LLVMIsAFunction(called))
		return false;
	found = builtin_source_name(LLVMGetValueName2(called, &length), &length);
	return strlen(name) == length && !strncmp(found, name, length);
}

/* The query that a call makes, or QUERY_COUNT. */
static enum query query_of(LLVMValueRef call)
{
	unsigned q = 0;

	while (q < QUERY_COUNT && !is_named(call, queries[q].name))
		q++;
	return q < QUERY_COUNT && LLVMGetNumArgOperands(call) == 1 ? (enum query)q : QUERY_COUNT;
}

static LLVMValueRef answer(struct virtual_range *v, enum query q, unsigned dimension)
{
	struct insertion *in = v->in;
	LLVMValueRef *there = &v->answer[q][dimension], index, words;

	if (*there)
		return *there;
	index = insertion_u64(in, queries[q].offset / sizeof(uint64_t) + dimension);
	words = LLVMBuildBitCast(
		v->entry, in->header,
		LLVMPointerType(in->u64, LLVMGetPointerAddressSpace(LLVMTypeOf(in->header))), "");
	words = LLVMBuildInBoundsGEP2(v->entry, in->u64, words, &index, 1, "");
	*there = LLVMBuildLoad2(v->entry, in->u64, words, queries[q].name);
	return *there;
}

/* What to add to the call's own answer (get_group_id), or the answer itself. */
static LLVMValueRef correct(struct virtual_range *v, enum query q, LLVMValueRef call, unsigned d)
{
	LLVMBuilderRef b = v->in->b;
	LLVMValueRef value = LLVMBuildIntCast2(b, answer(v, q, d), LLVMTypeOf(call), 0, "");

	return q == QUERY_get_group_id ? LLVMBuildAdd(b, call, value, "warpline.group") : value;
}

/* Replace a call by another one with a corrected answer. */
static void replace_query(struct virtual_range *v, LLVMValueRef call, enum query q,
                          uint64_t dimension)
{
	LLVMValueRef own = LLVMInstructionClone(call), value = own;

	LLVMPositionBuilderBefore(v->in->b, call);
	LLVMInsertIntoBuilder(v->in->b, own);
	if (dimension < DIMENSIONS)
		value = correct(v, q, own, (unsigned)dimension);
	LLVMReplaceAllUsesWith(call, value);
	LLVMInstructionEraseFromParent(call);
	if (!LLVMGetFirstUse(own))
		LLVMInstructionEraseFromParent(own);
}

/* If the read of a special register is a query, replace it by the corrected value. */
static bool replace_sreg(struct virtual_range *v, LLVMValueRef call)
{
	for (unsigned q = 0; q < QUERY_COUNT; q++) {
		int dimension =
			*queries[q].sreg ? sreg_dimension(call, queries[q].sreg) : SREG_NONE;

		if (dimension == SREG_NONE)
			continue;
		replace_query(v, call, (enum query)q, (uint64_t)dimension);
		return true;
	}
	return false;
}

/* Whether a call asks about a dimension that is not constant. */
static bool is_open(LLVMValueRef call)
{
	static const char *const names[] = {
		"get_global_id",
		"get_local_id",
		"get_local_size",
		"get_enqueued_local_size",
	};

	if (!LLVMIsACallInst(call) || LLVMGetNumArgOperands(call) != 1 ||
	    LLVMIsAConstantInt(LLVMGetOperand(call, 0)))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_named(call, names[i]))
			return true;
	return query_of(call) != QUERY_COUNT;
}

/* The same call for a constant dimension. */
static LLVMValueRef asked(LLVMBuilderRef b, LLVMValueRef call, unsigned dimension)
{
	LLVMValueRef own = LLVMInstructionClone(call);

	LLVMSetOperand(own, 0, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(call, 0)), dimension, 0));
	LLVMInsertIntoBuilder(b, own);
	return own;
}

/*
 * Replace such a call by calls for each dimension and a selection: some runtimes (POCL) answer only
 * for constants, unless their compiler happens to inline enough.
 */
static void close_call(struct insertion *in, LLVMValueRef call)
{
	LLVMValueRef dimension = LLVMGetOperand(call, 0), value;

	LLVMPositionBuilderBefore(in->b, call);
	value = asked(in->b, call, DIMENSIONS); /* one that does not exist */
	for (unsigned d = 0; d < DIMENSIONS; d++) {
		LLVMValueRef number = LLVMConstInt(LLVMTypeOf(dimension), d, 0);
		LLVMValueRef is_it = LLVMBuildICmp(in->b, LLVMIntEQ, dimension, number, "");

		value = LLVMBuildSelect(in->b, is_it, asked(in->b, call, d), value, "");
	}
	LLVMReplaceAllUsesWith(call, value);
	LLVMInstructionEraseFromParent(call);
}

static void close_calls(struct insertion *in, LLVMBasicBlockRef node)
{
	LLVMValueRef i = LLVMGetFirstInstruction(node), next;

	for (; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (is_open(i))
			close_call(in, i);
	}
}

/* get_global_id() of a dimension, minus the application's offset. */
static LLVMValueRef global_index(struct virtual_range *v, LLVMTypeRef type, unsigned dimension)
{
	static const char symbol[] = "_Z13get_global_idj";
	struct insertion *in = v->in;
	LLVMModuleRef module = LLVMGetGlobalParent(in->kernel->function);
	LLVMValueRef function = LLVMGetNamedFunction(module, symbol), id;
	LLVMValueRef argument = insertion_u32(in, dimension);

	if (!function)
		function = LLVMAddFunction(module, symbol, LLVMFunctionType(type, &in->u32, 1, 0));
	LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
	id = probe_runtime_call(in->b, function, &argument, 1);
	id = LLVMBuildIntCast2(in->b, id, in->u64, 0, "");
	return LLVMBuildSub(in->b, id, answer(v, QUERY_get_global_offset, dimension), "");
}

static void replace_linear(struct virtual_range *v, LLVMValueRef call)
{
	struct insertion *in = v->in;
	LLVMTypeRef type = LLVMTypeOf(call);
	LLVMValueRef value;

	LLVMPositionBuilderBefore(in->b, call);
	value = global_index(v, type, DIMENSIONS - 1);
	for (unsigned d = DIMENSIONS - 1; d-- > 0;) {
		value = LLVMBuildMul(in->b, value, answer(v, QUERY_get_global_size, d), "");
		value = LLVMBuildAdd(in->b, value, global_index(v, type, d), "");
	}
	LLVMReplaceAllUsesWith(call, LLVMBuildIntCast2(in->b, value, type, 0, ""));
	LLVMInstructionEraseFromParent(call);
}

static void replace_in_node(struct virtual_range *v, LLVMBasicBlockRef node)
{
	LLVMValueRef i = LLVMGetFirstInstruction(node), next;

	for (; i; i = next) {
		enum query q = query_of(i);

		next = LLVMGetNextInstruction(i);
		if (q < QUERY_COUNT)
			replace_query(v, i, q, LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)));
		else if (replace_sreg(v, i))
			continue;
		else if (is_named(i, LINEAR))
			replace_linear(v, i);
	}
}

void virtual_range_insert(struct insertion *in)
{
	struct virtual_range v = { .in = in };

	v.entry = LLVMCreateBuilderInContext(LLVMGetTypeContext(in->u64));
	insertion_after_header(in, v.entry);
	for (LLVMBasicBlockRef node = LLVMGetFirstBasicBlock(in->kernel->function); node;
	     node = LLVMGetNextBasicBlock(node)) {
		close_calls(in, node);
		replace_in_node(&v, node);
	}
	LLVMDisposeBuilder(v.entry);
}
