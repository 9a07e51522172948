/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_flow.h"

#include "array.h"
#include "builtin.h"
#include "err.h"
#include "graph.h"

#include <llvm-c/Core.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Maps LLVM's reference of a node to its number; sorted by reference. */
struct node_number {
	LLVMBasicBlockRef node;
	uint32_t number;
};

static int compare(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct node_number *)a)->node;
	uintptr_t y = (uintptr_t)((const struct node_number *)b)->node;

	return (x > y) - (x < y);
}

uint32_t kernel_flow_find(const struct kernel_flow *f, LLVMBasicBlockRef node)
{
	struct node_number key = { .node = node };
	const struct node_number *found =
		bsearch(&key, f->numbers, f->graph.node_count, sizeof(key), compare);

	return found ? found->number : GRAPH_NONE;
}

static unsigned successor_count(LLVMBasicBlockRef node)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(node);

	return end ? LLVMGetNumSuccessors(end) : 0;
}

static void fill_edges(struct kernel_flow *f)
{
	struct graph *g = &f->graph;
	uint32_t edge = 0;

	for (uint32_t n = 0; n < g->node_count; n++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(f->node[n]);
		unsigned count = successor_count(f->node[n]);

		g->first[n] = edge;
		for (unsigned i = 0; i < count; i++)
			g->successor[edge++] = kernel_flow_find(f, LLVMGetSuccessor(end, i));
	}
	g->first[g->node_count] = edge;
}

static int read_graph(struct kernel_flow *f, LLVMValueRef function, struct err *err)
{
	size_t count = LLVMCountBasicBlocks(function), edge_count = 0;
	int ret;

	f->numbers = array_alloc(count, sizeof(*f->numbers), "control flow", err);
	f->node = array_alloc(count, sizeof(LLVMBasicBlockRef), "control flow", err);
	if (!f->numbers || !f->node)
		return ERR_NOMEM;
	LLVMGetBasicBlocks(function, f->node);
	for (size_t i = 0; i < count; i++) {
		f->numbers[i] = (struct node_number){ .node = f->node[i], .number = (uint32_t)i };
		edge_count += successor_count(f->node[i]);
	}
	qsort(f->numbers, count, sizeof(*f->numbers), compare);
	ret = graph_init(&f->graph, count, edge_count, err);
	if (!ret)
		fill_edges(f);
	return ret;
}

int kernel_flow_init(struct kernel_flow *f, LLVMValueRef function, struct err *err)
{
	int ret;

	memset(f, 0, sizeof(*f));
	ret = read_graph(f, function, err);
	if (!ret)
		ret = loop_forest_init(&f->forest, &f->graph, err);
	if (!ret) {
		f->order = array_alloc(f->graph.node_count, sizeof(*f->order), "control flow", err);
		ret = f->order ? 0 : ERR_NOMEM;
	}
	if (!ret)
		ret = node_order_compute(&f->graph, &f->forest, f->order, &f->order_count, err);
	if (ret)
		kernel_flow_release(f);
	return ret;
}

void kernel_flow_release(struct kernel_flow *f)
{
	graph_release(&f->graph);
	loop_forest_release(&f->forest);
	free(f->node);
	free(f->numbers);
	free(f->order);
	memset(f, 0, sizeof(*f));
}

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

int kernel_flow_find_conditions(const struct kernel_flow *flow, bool *is_conditional,
                                struct err *err)
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
