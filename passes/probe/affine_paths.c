/* SPDX-License-Identifier: Apache-2.0 */
#include "affine_paths.h"

#include "array.h"
#include "err.h"
#include "kernel_flow.h"

#include <stdlib.h>
#include <string.h>

int affine_paths_init(struct affine_paths *p, const struct kernel_flow *flow, struct err *err)
{
	uint32_t count = flow->graph.node_count;
	size_t reachable_count;
	int ret;

	memset(p, 0, sizeof(*p));
	p->flow = flow;
	p->idom = array_alloc(count, sizeof(*p->idom), "paths", err);
	p->position = array_alloc(count, sizeof(*p->position), "paths", err);
	p->stack = array_alloc(count, sizeof(*p->stack), "paths", err);
	p->is_seen = array_alloc(count, sizeof(*p->is_seen), "paths", err);
	if (!p->idom || !p->position || !p->stack || !p->is_seen)
		return ERR_NOMEM;
	ret = graph_reverse_post_order(&flow->graph, p->stack, p->position, &reachable_count, err);
	if (!ret)
		ret = dominators_compute(&flow->graph, p->idom, err);
	return ret ? ret : graph_reverse(&flow->graph, &p->predecessors, err);
}

void affine_paths_release(struct affine_paths *p)
{
	graph_release(&p->predecessors);
	free(p->idom);
	free(p->position);
	free(p->stack);
	free(p->is_seen);
	memset(p, 0, sizeof(*p));
}

static bool lies_in(const struct affine_paths *p, int32_t loop, uint32_t node)
{
	const struct loop_forest *forest = &p->flow->forest;

	return loop_forest_contains(forest, loop, forest->innermost[node]);
}

uint32_t affine_paths_latch(const struct affine_paths *p, int32_t loop)
{
	const struct graph *g = &p->predecessors;
	uint32_t header = p->flow->forest.loops[loop].header, latch = GRAPH_NONE;

	for (uint32_t e = g->first[header]; e < g->first[header + 1]; e++) {
		if (!lies_in(p, loop, g->successor[e]))
			continue;
		if (latch != GRAPH_NONE)
			return GRAPH_NONE;
		latch = g->successor[e];
	}
	return latch;
}

static bool dominates(const struct affine_paths *p, uint32_t a, uint32_t b)
{
	while (p->position[b] > p->position[a])
		b = p->idom[b];
	return a == b;
}

/* Whether one comes from one node to another in one iteration, not over `avoid` (GRAPH_NONE). */
static bool reaches(struct affine_paths *p, int32_t loop, const struct affine_edge *way,
                    uint32_t avoid)
{
	const struct graph *g = &p->flow->graph;
	uint32_t depth = 0, header = p->flow->forest.loops[loop].header;

	if (way->from == way->to)
		return true;
	memset(p->is_seen, 0, g->node_count * sizeof(*p->is_seen));
	p->stack[depth++] = way->from;
	while (depth) {
		uint32_t n = p->stack[--depth];

		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) {
			uint32_t s = g->successor[e];

			if (s == avoid || s == header || p->is_seen[s] || !lies_in(p, loop, s))
				continue;
			if (s == way->to)
				return true;
			p->is_seen[s] = true;
			p->stack[depth++] = s;
		}
	}
	return false;
}

/* The next dominator that lies directly in the loop. */
static uint32_t dominator_in(const struct affine_paths *p, int32_t loop, uint32_t node)
{
	do
		node = p->idom[node];
	while (p->flow->forest.innermost[node] != loop);
	return node;
}

/* The one predecessor if it lies directly in the loop and branches two ways, else GRAPH_NONE. */
static uint32_t branch_before(const struct affine_paths *p, int32_t loop, uint32_t node)
{
	const struct graph *g = &p->flow->graph, *back = &p->predecessors;
	uint32_t from;

	if (back->first[node + 1] - back->first[node] != 1)
		return GRAPH_NONE;
	from = back->successor[back->first[node]];
	if (p->flow->forest.innermost[from] != loop || g->first[from + 1] - g->first[from] != 2)
		return GRAPH_NONE;
	return from;
}

/*
 * From the node up over its dominators. Let y be a dominator of x directly in the loop, so that it
 * is passed at most once in an iteration. If no way leads from y to the end but over x, then x is
 * passed exactly when y is. If x can only be come to over the edge y -> x, then x is passed exactly
 * when y is and the edge is taken. A dominator of the end is always passed.
 */
enum affine_passage affine_paths_find(struct affine_paths *p, int32_t loop, uint32_t node,
                                      uint32_t end, struct affine_edge edges[AFFINE_EDGES_MOST],
                                      uint32_t *count)
{
	*count = 0;
	if (dominates(p, node, end))
		return AFFINE_CONDITIONAL;
	if (!reaches(p, loop, &(struct affine_edge){ node, end }, GRAPH_NONE))
		return AFFINE_NEVER;
	while (!dominates(p, node, end)) {
		uint32_t above = dominator_in(p, loop, node);

		if (reaches(p, loop, &(struct affine_edge){ above, end }, node)) {
			above = branch_before(p, loop, node);
			if (above == GRAPH_NONE || *count == AFFINE_EDGES_MOST)
				return AFFINE_UNKNOWN;
			edges[(*count)++] = (struct affine_edge){ above, node };
		}
		node = above;
	}
	return AFFINE_CONDITIONAL;
}
