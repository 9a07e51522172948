/* SPDX-License-Identifier: Apache-2.0 */
#include "sync_points.h"

#include "control_dependence.h"
#include "err.h"
#include "kernel_flow.h"
#include "sync_kind.h"
#include "uniform_values.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

#define WARP_SYNC  "warpline_cuda_sync"
#define GROUP_SYNC "warpline_cuda_group_sync"
#define BARRIER    "_Z7barrierj"

static bool calls_function(LLVMValueRef instruction, const char *name)
{
	size_t length;

	return LLVMIsACallInst(instruction) &&
	       !strcmp(LLVMGetValueName2(LLVMGetCalledValue(instruction), &length), name);
}

bool sync_point_is_barrier(LLVMValueRef call)
{
	return calls_function(call, BARRIER);
}

static bool is_point(LLVMValueRef i)
{
	return calls_function(i, WARP_SYNC) || calls_function(i, GROUP_SYNC) ||
	       calls_function(i, BARRIER);
}

int sync_points_find(LLVMValueRef function, struct array *calls, struct err *err)
{
	LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(function);

	for (; n; n = LLVMGetNextBasicBlock(n)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(n); i;
		     i = LLVMGetNextInstruction(i)) {
			LLVMValueRef *call = is_point(i) ? array_push(calls, 1, err) : NULL;

			if (call)
				*call = i;
			else if (is_point(i))
				return err->code;
		}
	}
	return 0;
}

void sync_point_read(LLVMValueRef call, struct sync_operands *operands)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(call));
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c);

	*operands = (struct sync_operands){ .kind = LLVMConstInt(u32, SYNC_GROUP, 0),
		                            .mask = LLVMConstInt(u32, 0, 0),
		                            .value = LLVMConstInt(LLVMInt64TypeInContext(c), 0, 0),
		                            .argument = LLVMConstInt(u32, 0, 0) };
	if (sync_point_is_barrier(call))
		return;
	operands->kind = LLVMGetOperand(call, 0);
	if (calls_function(call, GROUP_SYNC)) {
		operands->value = LLVMGetOperand(call, 1);
		return;
	}
	operands->mask = LLVMGetOperand(call, 1);
	operands->value = LLVMGetOperand(call, 2);
	operands->argument = LLVMGetOperand(call, 3);
}

/* A kind that is not a constant may be any. */
static uint32_t kinds_of(LLVMValueRef call)
{
	struct sync_operands o;
	unsigned long long kind;

	sync_point_read(call, &o);
	if (!LLVMIsAConstantInt(o.kind))
		return UINT32_MAX;
	kind = LLVMConstIntGetZExtValue(o.kind);
	return kind < 32 ? 1u << kind : 0;
}

LLVMValueRef sync_point_kinds(LLVMValueRef call)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(call));

	return LLVMConstInt(LLVMInt32TypeInContext(c), kinds_of(call), 0);
}

LLVMValueRef sync_points_kinds(const struct array *calls, LLVMContextRef context)
{
	const LLVMValueRef *call = calls->data;
	uint32_t kinds = 0;

	for (size_t i = 0; i < calls->count; i++)
		kinds |= kinds_of(call[i]);
	return LLVMConstInt(LLVMInt32TypeInContext(context), kinds, 0);
}

/* Whether the jump of a node goes round or out of the loop that it is the beginning or end of. */
static bool is_loop_jump(const struct kernel_flow *flow, uint32_t node)
{
	const struct graph *g = &flow->graph;
	int32_t loop = flow->forest.innermost[node];
	bool is_end, leaves = false;

	if (loop < 0)
		return false;
	is_end = flow->forest.loops[loop].header == node;
	for (uint32_t e = g->first[node]; e < g->first[node + 1]; e++) {
		uint32_t to = g->successor[e];

		is_end |= to == flow->forest.loops[loop].header;
		leaves |= !loop_forest_contains(&flow->forest, loop, flow->forest.innermost[to]);
	}
	return is_end && leaves;
}

/* The nodes that decide about the calls: all of loops, with jumps that all work-items take alike.
 */
static int look_at_jumps(const struct kernel_flow *flow, const struct array *calls,
                         const struct control_dependence *dependence,
                         const struct uniform_values *values, bool *are_even)
{
	struct err err = { 0 };
	uint32_t count = flow->graph.node_count;
	uint32_t *nodes = array_alloc(calls->count, sizeof(*nodes), "control flow", &err);
	bool *is_member = array_alloc(count, sizeof(*is_member), "control flow", &err);
	const LLVMValueRef *call = calls->data;
	int ret = nodes && is_member ? 0 : ERR_NOMEM;

	for (size_t i = 0; !ret && i < calls->count; i++)
		nodes[i] = kernel_flow_find(flow, LLVMGetInstructionParent(call[i]));
	if (!ret)
		ret = control_dependence_collect(dependence, nodes, calls->count, is_member, &err);
	*are_even = true;
	for (uint32_t n = 0; !ret && n < count; n++)
		*are_even &= !is_member[n] ||
		             (is_loop_jump(flow, n) && uniform_values_has_jump(values, n));
	free(nodes);
	free(is_member);
	return ret;
}

int sync_points_are_even(LLVMValueRef function, const struct array *calls, bool *are_even,
                         struct err *err)
{
	struct control_dependence dependence = { 0 };
	struct uniform_values values = { 0 };
	struct kernel_flow flow;
	int ret = kernel_flow_init(&flow, function, err);

	if (ret)
		return ret;
	ret = control_dependence_init(&dependence, &flow.graph, err);
	if (!ret)
		ret = uniform_values_init(&values, &flow, &dependence, err);
	if (!ret && look_at_jumps(&flow, calls, &dependence, &values, are_even))
		ret = err_set(err, ERR_NOMEM, "out of memory for control flow");
	uniform_values_release(&values);
	control_dependence_release(&dependence);
	kernel_flow_release(&flow);
	return ret;
}
