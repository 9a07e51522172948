/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_flow.h"

#include "array.h"
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
