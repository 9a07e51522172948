/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_flow.h"

#include "array.h"
#include "err.h"
#include "node_order.h"

#include <llvm-c/Core.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* From LLVM's reference of a node to its number: sorted by reference. */
struct number_of {
	LLVMBasicBlockRef node;
	uint32_t number;
};

static int compare(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct number_of *)a)->node;
	uintptr_t y = (uintptr_t)((const struct number_of *)b)->node;

	return (x > y) - (x < y);
}

static uint32_t find(const struct number_of *numbers, size_t count, LLVMBasicBlockRef node)
{
	struct number_of key = { .node = node };
	const struct number_of *found = bsearch(&key, numbers, count, sizeof(key), compare);

	return found ? found->number : 0;
}

static unsigned successor_count(LLVMBasicBlockRef node)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(node);

	return end ? LLVMGetNumSuccessors(end) : 0;
}

static void fill_edges(struct graph *g, LLVMBasicBlockRef *node, const struct number_of *numbers)
{
	uint32_t edge = 0;

	for (uint32_t n = 0; n < g->node_count; n++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(node[n]);
		unsigned count = successor_count(node[n]);

		g->first[n] = edge;
		for (unsigned i = 0; i < count; i++)
			g->successor[edge++] =
				find(numbers, g->node_count, LLVMGetSuccessor(end, i));
	}
	g->first[g->node_count] = edge;
}

static int read_graph(struct kernel_flow *f, LLVMValueRef function, struct err *err)
{
	size_t count = LLVMCountBasicBlocks(function), edge_count = 0;
	struct number_of *numbers = array_alloc(count, sizeof(*numbers), "control flow", err);
	int ret;

	f->node = array_alloc(count, sizeof(LLVMBasicBlockRef), "control flow", err);
	if (!numbers || !f->node) {
		free(numbers);
		return ERR_NOMEM;
	}
	LLVMGetBasicBlocks(function, f->node);
	for (size_t i = 0; i < count; i++) {
		numbers[i] = (struct number_of){ .node = f->node[i], .number = (uint32_t)i };
		edge_count += successor_count(f->node[i]);
	}
	qsort(numbers, count, sizeof(*numbers), compare);
	ret = graph_init(&f->graph, count, edge_count, err);
	if (!ret)
		fill_edges(&f->graph, f->node, numbers);
	free(numbers);
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
	free(f->order);
	memset(f, 0, sizeof(*f));
}
