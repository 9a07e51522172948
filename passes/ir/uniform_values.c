/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform_values.h"

#include "array.h"
#include "control_dependence.h"
#include "err.h"
#include "kernel_flow.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

/* Calls whose results are a group's, if what they are asked is. */
static const char *const group_calls[] = {
	"_Z12get_group_idj",    "_Z14get_num_groupsj",    "_Z14get_local_sizej",
	"_Z15get_global_sizej", "_Z17get_global_offsetj", "_Z12get_work_dimv",
};

/* All work-items of a group get the same answer, whatever each says. */
#define GROUP_SYNC "warpline_cuda_group_sync"

/* Calls that have no effects and yet tell work-items apart. */
static const char *const item_calls[] = { "get_local_", "get_global_", "sub_group", "warpline_" };

static bool differs(const struct uniform_values *u, LLVMValueRef value)
{
	return LLVMIsAInstruction(value) &&
	       pointer_map_get(&u->differing, value) != POINTER_MAP_NONE;
}

static bool has_differing_operand(const struct uniform_values *u, LLVMValueRef i)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++)
		if (differs(u, LLVMGetOperand(i, (unsigned)k)))
			return true;
	return false;
}

static bool is_pure(LLVMValueRef function)
{
	static const char name[] = "readnone";
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                                   kind) != NULL;
}

static bool call_differs(const struct uniform_values *u, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t length;
	const char *name = LLVMGetValueName2(callee, &length);

	for (size_t i = 0; i < sizeof(group_calls) / sizeof(group_calls[0]); i++)
		if (!strcmp(name, group_calls[i]))
			return has_differing_operand(u, call);
	if (!strcmp(name, GROUP_SYNC))
		return false;
	for (size_t i = 0; i < sizeof(item_calls) / sizeof(item_calls[0]); i++)
		if (strstr(name, item_calls[i]))
			return true;
	return !LLVMIsAFunction(callee) || !is_pure(callee) || has_differing_operand(u, call);
}

static bool instruction_differs(const struct uniform_values *u, LLVMValueRef i)
{
	switch ((int)LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
	case LLVMAlloca:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMVAArg:
	case LLVMInvoke:
		return true;
	case LLVMCall:
		return call_differs(u, i);
	default:
		return has_differing_operand(u, i);
	}
}

static int mark(struct uniform_values *u, LLVMValueRef i, bool *has_changed, struct err *err)
{
	if (differs(u, i))
		return 0;
	*has_changed = true;
	return pointer_map_set(&u->differing, i, 1, err);
}

/* The nodes between a jump and where its ways meet again, in is_inside, which comes all false. */
static void find_inside(const struct uniform_values *u, uint32_t jump, bool *is_inside,
                        uint32_t *stack)
{
	const struct graph *g = &u->flow->graph;
	uint32_t depth = 0, meeting = u->dependence->after[jump];

	stack[depth++] = jump;
	while (depth) {
		uint32_t n = stack[--depth];

		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) {
			uint32_t to = g->successor[e];

			if (to == meeting || is_inside[to])
				continue;
			is_inside[to] = true;
			stack[depth++] = to;
		}
	}
}

/* Whether an instruction has a use in a node that is not inside. */
static bool is_used_outside(const struct uniform_values *u, LLVMValueRef i, const bool *is_inside)
{
	for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
		LLVMBasicBlockRef node = LLVMGetInstructionParent(LLVMGetUser(use));
		uint32_t n = kernel_flow_find(u->flow, node);

		if (n == GRAPH_NONE || !is_inside[n])
			return true;
	}
	return false;
}

/* A jump differs: so do the phis on its ways, and what is taken out of loops that it ends. */
static int spread_into(struct uniform_values *u, uint32_t node, const bool *is_inside,
                       bool *has_changed, struct err *err)
{
	LLVMValueRef i = LLVMGetFirstInstruction(u->flow->node[node]);
	int ret = 0;

	for (; i && !ret; i = LLVMGetNextInstruction(i))
		if (LLVMIsAPHINode(i) || (is_inside[node] && is_used_outside(u, i, is_inside)))
			ret = mark(u, i, has_changed, err);
	return ret;
}

static int spread(struct uniform_values *u, uint32_t jump, bool *has_changed, struct err *err)
{
	uint32_t count = u->flow->graph.node_count, meeting = u->dependence->after[jump];
	bool *is_inside = array_alloc(count, sizeof(*is_inside), "control flow", err);
	uint32_t *stack = array_alloc((size_t)count + 1, sizeof(*stack), "control flow", err);
	int ret = is_inside && stack ? 0 : ERR_NOMEM;

	if (!ret)
		find_inside(u, jump, is_inside, stack);
	for (uint32_t n = 0; !ret && n < count; n++)
		if (is_inside[n] || n == meeting)
			ret = spread_into(u, n, is_inside, has_changed, err);
	free(is_inside);
	free(stack);
	return ret;
}

static int look_at_node(struct uniform_values *u, uint32_t node, bool *has_changed, struct err *err)
{
	LLVMValueRef i = LLVMGetFirstInstruction(u->flow->node[node]);
	int ret = 0;

	for (; i && !ret; i = LLVMGetNextInstruction(i))
		if (!differs(u, i) && instruction_differs(u, i))
			ret = mark(u, i, has_changed, err);
	return ret;
}

int uniform_values_init(struct uniform_values *u, const struct kernel_flow *flow,
                        const struct control_dependence *dependence, struct err *err)
{
	bool has_changed = true;
	int ret = 0;

	*u = (struct uniform_values){ .flow = flow, .dependence = dependence };
	while (!ret && has_changed) {
		has_changed = false;
		for (size_t k = 0; !ret && k < flow->order_count; k++) {
			uint32_t node = flow->order[k];

			ret = look_at_node(u, node, &has_changed, err);
			if (!ret && !uniform_values_has_jump(u, node))
				ret = spread(u, node, &has_changed, err);
		}
	}
	return ret;
}

void uniform_values_release(struct uniform_values *u)
{
	pointer_map_release(&u->differing);
	memset(u, 0, sizeof(*u));
}

bool uniform_values_has_jump(const struct uniform_values *u, uint32_t node)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(u->flow->node[node]);

	if (!end || LLVMGetNumSuccessors(end) < 2)
		return true;
	return !differs(u, LLVMIsABranchInst(end) ? LLVMGetCondition(end) : LLVMGetOperand(end, 0));
}
