/* SPDX-License-Identifier: Apache-2.0 */
#include "sync_points.h"

#include "array.h"
#include "err.h"
#include "graph.h"
#include "ir_walk.h"
#include "kernel_flow.h"
#include "llvm_api.h"
#include "pointer_map.h"
#include "sync_kind.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Which values of a kernel are the same for all work-items of a work-group, each time they are
 * computed.
 *
 * Conservative: what is not known to be uniform is not. Values loaded from memory are never known.
 * Kernel arguments, group ids and sizes, and values computed from them without a work-item's own id
 * are uniform. A value that differs spreads to what is computed from it, to what a jump on it
 * selects, and out of loops that work-items leave at different times. After Karrenberg and Hack,
 * "Improving Performance of OpenCL on CPUs" (2012).
 */

struct uniform_values {
	const struct kernel_flow *flow;              /* borrowed */
	const struct control_dependence *dependence; /* borrowed */
	struct pointer_map differing;                /* instructions */
};

#define WARP_SYNC  "warpline_cuda_sync"
#define GROUP_SYNC "warpline_cuda_group_sync" /* returns the same to all work-items of a group */
#define BARRIER    "_Z7barrierj"

/* Calls whose results are uniform if their arguments are. */
static const char *const group_calls[] = {
	"_Z12get_group_idj",    "_Z14get_num_groupsj",    "_Z14get_local_sizej",
	"_Z15get_global_sizej", "_Z17get_global_offsetj", "_Z12get_work_dimv",
};

/* Calls without side effects whose results differ between work-items. */
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
	return !LLVMIsAFunction(callee) || !llvm_function_has(callee, LLVM_TOUCHES_NOTHING) ||
	       has_differing_operand(u, call);
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

/* Mark the nodes between a jump and where its paths meet again in is_inside, all false at first. */
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

/* Whether an instruction has a use in a node outside. */
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

/* A jump differs: so do the phis on its paths, and values that leave loops which it ends. */
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

static bool uniform_values_has_jump(const struct uniform_values *u, uint32_t node);

/*
 * Analyse the function of a flow, which must live as long, unchanged; release in any case. Returns
 * 0 or ERR_NOMEM.
 */
static int uniform_values_init(struct uniform_values *u, const struct kernel_flow *flow,
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

/* Free what it owns and zero it. Accepts a zeroed struct. */
static void uniform_values_release(struct uniform_values *u)
{
	pointer_map_release(&u->differing);
	memset(u, 0, sizeof(*u));
}

/* Whether all work-items take the same path at the end of a node. */
static bool uniform_values_has_jump(const struct uniform_values *u, uint32_t node)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(u->flow->node[node]);

	if (!end || LLVMGetNumSuccessors(end) < 2)
		return true;
	return !differs(u, LLVMIsABranchInst(end) ? LLVMGetCondition(end) : LLVMGetOperand(end, 0));
}

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
	for (LLVMValueRef i = ir_first(function); i; i = ir_next(i)) {
		LLVMValueRef *call = is_point(i) ? array_push(calls, 1, err) : NULL;

		if (call)
			*call = i;
		else if (is_point(i))
			return err->code;
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

/* A kind that is not constant may be any. */
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

/* Whether the jump of a node continues or leaves the loop that it is the start or end of. */
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

/* The nodes that decide about the calls: all must be loop jumps that are the same for all
 * work-items. */
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
