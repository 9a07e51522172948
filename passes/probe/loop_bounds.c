/* SPDX-License-Identifier: Apache-2.0 */
#include "insertion.h"

#include <stdbool.h>

/* A loop's variable: from `first` in steps of `step`, both of `bits` bits. */
struct variable {
	LLVMValueRef phi, next;
	uint64_t first, step;
	unsigned bits;
};

static uint64_t cut(uint64_t value, unsigned bits)
{
	return bits < 64 ? value & ((1ull << bits) - 1) : value;
}

static int64_t extend(uint64_t value, unsigned bits)
{
	return bits < 64 ? (int64_t)(value << (64 - bits)) >> (64 - bits) : (int64_t)value;
}

static bool holds(LLVMIntPredicate predicate, uint64_t a, uint64_t b, unsigned bits)
{
	int64_t x = extend(a, bits), y = extend(b, bits);

	switch (predicate) {
	case LLVMIntEQ:
		return a == b;
	case LLVMIntNE:
		return a != b;
	case LLVMIntUGT:
		return a > b;
	case LLVMIntUGE:
		return a >= b;
	case LLVMIntULT:
		return a < b;
	case LLVMIntULE:
		return a <= b;
	case LLVMIntSGT:
		return x > y;
	case LLVMIntSGE:
		return x >= y;
	case LLVMIntSLT:
		return x < y;
	case LLVMIntSLE:
		return x <= y;
	}
	return false;
}

static bool is_inside(const struct insertion *in, uint32_t l, uint32_t node)
{
	const struct loop_forest *forest = &in->kernel->flow.forest;

	return loop_forest_contains(forest, (int32_t)l, forest->innermost[node]);
}

/* Whether an incoming edge of a phi in loop l's header comes from inside the loop. */
static bool comes_from_inside(const struct insertion *in, uint32_t l, LLVMBasicBlockRef from)
{
	const struct kernel_flow *flow = &in->kernel->flow;
	uint32_t header = flow->forest.loops[l].header;

	for (uint32_t e = in->predecessors.first[header]; e < in->predecessors.first[header + 1];
	     e++)
		if (flow->node[in->predecessors.successor[e]] == from)
			return is_inside(in, l, in->predecessors.successor[e]);
	return false;
}

static bool is_step(LLVMValueRef value)
{
	return LLVMIsAInstruction(value) && (LLVMGetInstructionOpcode(value) == LLVMAdd ||
	                                     LLVMGetInstructionOpcode(value) == LLVMSub);
}

/* Read `phi` as a counting variable: two edges, a constant on entry and an addition in the loop. */
static bool read_variable(const struct insertion *in, uint32_t l, LLVMValueRef phi,
                          struct variable *v)
{
	unsigned outside;
	LLVMValueRef first, step;

	if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2 ||
	    LLVMGetInstructionParent(phi) !=
	            in->kernel->flow.node[in->kernel->flow.forest.loops[l].header])
		return false;
	outside = comes_from_inside(in, l, LLVMGetIncomingBlock(phi, 0));
	first = LLVMGetIncomingValue(phi, outside);
	v->phi = phi;
	v->next = LLVMGetIncomingValue(phi, 1 - outside);
	if (!LLVMIsAConstantInt(first) || !is_step(v->next) || LLVMGetOperand(v->next, 0) != phi)
		return false;
	step = LLVMGetOperand(v->next, 1);
	v->bits = LLVMGetIntTypeWidth(LLVMTypeOf(phi));
	if (!LLVMIsAConstantInt(step) || v->bits > 64)
		return false;
	v->first = LLVMConstIntGetZExtValue(first);
	v->step = LLVMConstIntGetZExtValue(step);
	if (LLVMGetInstructionOpcode(v->next) == LLVMSub)
		v->step = cut(0 - v->step, v->bits);
	return true;
}

/* How often the test is executed until it exits the loop; 0: more than the limit. */
static uint64_t count_passes(const struct variable *v, LLVMValueRef compare, bool leaves_if,
                             uint64_t limit)
{
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
	uint64_t to = LLVMConstIntGetZExtValue(LLVMGetOperand(compare, 1)), value = v->first;

	for (uint64_t passes = 1; passes <= limit; passes++) {
		uint64_t next = cut(value + v->step, v->bits);
		bool is_next = LLVMGetOperand(compare, 0) == v->next;

		if (holds(predicate, is_next ? next : value, to, v->bits) == leaves_if)
			return passes;
		value = next;
	}
	return 0;
}

/* The bound of loop l set by the end of node n, which may leave it. */
static uint64_t bound_at(const struct insertion *in, uint32_t l, uint32_t n, uint64_t limit)
{
	const struct graph *g = &in->kernel->flow.graph;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(in->kernel->flow.node[n]), compare, with;
	struct variable v;
	bool stays;

	if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end))
		return 0;
	stays = is_inside(in, l, g->successor[g->first[n]]);
	compare = LLVMGetCondition(end);
	if (stays == is_inside(in, l, g->successor[g->first[n] + 1]) || !LLVMIsAICmpInst(compare) ||
	    !LLVMIsAConstantInt(LLVMGetOperand(compare, 1)))
		return 0;
	with = LLVMGetOperand(compare, 0);
	if (is_step(with))
		with = LLVMGetOperand(with, 0);
	if (!read_variable(in, l, with, &v) ||
	    (LLVMGetOperand(compare, 0) != v.phi && LLVMGetOperand(compare, 0) != v.next))
		return 0;
	return count_passes(&v, compare, !stays, limit);
}

bool loop_bounds_meet(const struct insertion *in, uint32_t l, uint32_t n)
{
	uint32_t header = in->kernel->flow.forest.loops[l].header;

	for (uint32_t e = in->predecessors.first[header]; e < in->predecessors.first[header + 1];
	     e++)
		if (is_inside(in, l, in->predecessors.successor[e]) &&
		    !insertion_dominates(in, n, in->predecessors.successor[e]))
			return false;
	return true;
}

static void find_bounds(const struct insertion *in, uint64_t limit, struct loop_bound *bounds)
{
	const struct kernel_flow *flow = &in->kernel->flow;

	for (size_t i = 0; i < flow->order_count; i++) {
		uint32_t n = flow->order[i];
		int32_t l = flow->forest.innermost[n];
		uint64_t passes;

		if (l < 0 || bounds[l].passes || !loop_bounds_meet(in, (uint32_t)l, n))
			continue;
		passes = bound_at(in, (uint32_t)l, n, limit);
		if (passes)
			bounds[l] = (struct loop_bound){ .passes = passes, .test = n };
	}
}

uint64_t loop_bounds_passes(const struct insertion *in, const struct loop_bound *b, uint32_t node)
{
	bool is_behind = b->passes && node != b->test && insertion_dominates(in, b->test, node);

	/* After a test that is executed once: never; counting one too many does no harm. */
	return b->passes - (is_behind && b->passes > 1);
}

/* For a node: the product over the loops around it. */
static uint64_t times_of(const struct insertion *in, const struct loop_bound *bounds, uint32_t node,
                         uint64_t limit)
{
	const struct loop_forest *forest = &in->kernel->flow.forest;
	uint64_t times = 1;

	for (int32_t l = forest->innermost[node]; l >= 0; l = forest->loops[l].parent) {
		times *= loop_bounds_passes(in, &bounds[l], node);
		if (!times || times > limit)
			return 0;
	}
	return times;
}

void loop_bounds_find(const struct insertion *in, uint64_t limit, struct loop_bound *bounds)
{
	if (!in->kernel->table->is_irreducible)
		find_bounds(in, limit + 1, bounds);
}

void loop_bounds_times(const struct insertion *in, const struct loop_bound *bounds, uint64_t limit,
                       uint64_t *times)
{
	for (uint32_t n = 0; n < in->kernel->flow.graph.node_count; n++)
		times[n] = in->kernel->table->is_irreducible ? 0 : times_of(in, bounds, n, limit);
}
