/* SPDX-License-Identifier: Apache-2.0 */
#include "barrier_conditions.h"

#include "array.h"
#include "builtin.h"
#include "err.h"
#include "kernel_flow.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

/* A walk through one loop, or through the whole function, that must not enter `target`. */
struct walk {
	const struct kernel_flow *flow;
	int32_t loop;   /* -1: the function */
	uint32_t start; /* the loop's header, or the entry */
	uint32_t target;
	bool *is_seen;   /* per node */
	uint32_t *stack; /* node_count entries: each node is pushed at most once */
	uint32_t depth;
};

static bool has_barrier(LLVMBasicBlockRef node)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(node); i; i = LLVMGetNextInstruction(i)) {
		LLVMValueRef function =
			LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
		size_t length;

		if (function &&
		    builtin_find(LLVMGetValueName2(function, &length)).class == BUILTIN_BARRIER)
			return true;
	}
	return false;
}

static bool has_edge(const struct graph *g, uint32_t from, uint32_t to)
{
	for (uint32_t e = g->first[from]; e < g->first[from + 1]; e++)
		if (g->successor[e] == to)
			return true;
	return false;
}

/* Follow the edge from -> to. Returns true when it continues or leaves the loop without passing the
 * target. */
static bool take(struct walk *w, uint32_t from, uint32_t to)
{
	const struct loop_forest *forest = &w->flow->forest;

	if (to == w->target)
		return false;
	if (w->loop >= 0 && to == w->start)
		return true;
	if (w->loop >= 0 && !loop_forest_contains(forest, w->loop, forest->innermost[to]))
		return from != w->start && !has_edge(&w->flow->graph, from, w->start);
	if (!w->is_seen[to]) {
		w->is_seen[to] = true;
		w->stack[w->depth++] = to;
	}
	return false;
}

/* Whether a path from the start around the loop, or to a return, avoids the target. */
static bool can_pass(struct walk *w)
{
	const struct graph *g = &w->flow->graph;

	if (w->start == w->target)
		return false;
	memset(w->is_seen, 0, g->node_count * sizeof(*w->is_seen));
	w->is_seen[w->start] = true;
	w->stack[0] = w->start;
	w->depth = 1;
	while (w->depth) {
		uint32_t n = w->stack[--w->depth];

		if (w->loop < 0 && g->first[n] == g->first[n + 1])
			return true;
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
			if (take(w, n, g->successor[e]))
				return true;
	}
	return false;
}

/*
 * From the node outwards: in each loop around it, and in the function, every path must lead to it.
 */
static bool is_conditional_node(struct walk *w, uint32_t node)
{
	const struct loop_forest *forest = &w->flow->forest;
	int32_t loop = forest->innermost[node];

	w->target = node;
	for (;;) {
		w->loop = loop;
		w->start = loop < 0 ? 0 : forest->loops[loop].header;
		if (can_pass(w))
			return true;
		if (loop < 0)
			return false;
		w->target = w->start;
		loop = forest->loops[loop].parent;
	}
}

int barrier_conditions_find(const struct kernel_flow *flow, bool *is_conditional, struct err *err)
{
	struct walk w = { .flow = flow };
	int ret = ERR_NOMEM;

	w.is_seen = array_alloc(flow->graph.node_count, sizeof(*w.is_seen), "nodes", err);
	w.stack = array_alloc(flow->graph.node_count, sizeof(*w.stack), "nodes", err);
	if (!w.is_seen || !w.stack)
		goto out;
	*is_conditional = false;
	for (size_t i = 0; i < flow->order_count && !*is_conditional; i++)
		if (has_barrier(flow->node[flow->order[i]]))
			*is_conditional = is_conditional_node(&w, flow->order[i]);
	ret = 0;
out:
	free(w.is_seen);
	free(w.stack);
	return ret;
}
