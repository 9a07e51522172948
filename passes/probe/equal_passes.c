/* SPDX-License-Identifier: Apache-2.0 */
#include "equal_passes.h"

#include "array.h"
#include "err.h"
#include "kernel_flow.h"

#include <stdlib.h>

/* Whether an edge goes back to the header of a loop that it lies in, of at most that depth. */
static bool is_cut(const struct kernel_flow *flow, uint32_t depth, uint32_t from, uint32_t to)
{
	const struct loop_forest *forest = &flow->forest;
	int32_t loop = forest->innermost[to];

	return loop >= 0 && forest->loops[loop].header == to &&
	       forest->loops[loop].depth <= depth &&
	       loop_forest_contains(forest, loop, forest->innermost[from]);
}

/*
 * The graph turned round: node 0 is the end, node n + 1 was n. Edges back to a header of at most
 * that depth lead to the end instead.
 */
static int turn(const struct kernel_flow *flow, uint32_t depth, struct graph *out, struct err *err)
{
	const struct graph *g = &flow->graph;
	struct graph forward;
	uint32_t edges = g->first[g->node_count];
	int ret =
		graph_init(&forward, (size_t)g->node_count + 1, (size_t)edges + g->node_count, err);
	uint32_t next = 0;

	for (uint32_t n = 0; !ret && n < g->node_count; n++) {
		forward.first[n + 1] = next;
		if (g->first[n] == g->first[n + 1])
			forward.successor[next++] = 0;
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) {
			uint32_t to = g->successor[e];

			forward.successor[next++] = is_cut(flow, depth, n, to) ? 0 : to + 1;
		}
	}
	if (!ret) {
		forward.first[g->node_count + 1] = next;
		ret = graph_reverse(&forward, out, err);
	}
	graph_release(&forward);
	return ret;
}

static int find_post_dominators(const struct kernel_flow *flow, uint32_t depth, uint32_t **out,
                                struct err *err)
{
	struct graph turned = { 0 };
	int ret = turn(flow, depth, &turned, err);

	if (!ret) {
		*out = array_alloc(turned.node_count, sizeof(**out), "control flow", err);
		ret = *out ? dominators_compute(&turned, *out, err) : ERR_NOMEM;
	}
	graph_release(&turned);
	return ret;
}

int equal_passes_init(struct equal_passes *e, const struct kernel_flow *flow, const uint32_t *idom,
                      struct err *err)
{
	uint32_t depth = 0;
	int ret = 0;

	*e = (struct equal_passes){ .flow = flow, .idom = idom };
	for (uint32_t l = 0; l < flow->forest.loop_count; l++)
		depth = flow->forest.loops[l].depth > depth ? flow->forest.loops[l].depth : depth;
	e->post = array_alloc((size_t)depth + 1, sizeof(*e->post), "control flow", err);
	if (!e->post)
		return ERR_NOMEM;
	e->depth_count = depth + 1;
	for (uint32_t d = 0; !ret && d <= depth; d++)
		ret = find_post_dominators(flow, d, &e->post[d], err);
	return ret;
}

void equal_passes_release(struct equal_passes *e)
{
	for (uint32_t d = 0; d < e->depth_count; d++)
		free(e->post[d]);
	free(e->post);
	*e = (struct equal_passes){ 0 };
}

/* Whether `late` is on every way from `early` to the end. */
static bool is_inevitable(const uint32_t *post, uint32_t early, uint32_t late)
{
	uint32_t n = early + 1;

	while (n && n != late + 1 && post[n] != GRAPH_NONE)
		n = post[n];
	return n == late + 1;
}

uint32_t equal_passes_first(const struct equal_passes *e, uint32_t node)
{
	const int32_t *innermost = e->flow->forest.innermost;
	int32_t loop = innermost[node];
	const uint32_t *post = e->post[loop < 0 ? 0 : e->flow->forest.loops[loop].depth];
	uint32_t first = node, n = node;

	while (e->idom[n] != GRAPH_NONE && e->idom[n] != n) {
		n = e->idom[n];
		if (innermost[n] == loop && is_inevitable(post, n, node))
			first = n;
	}
	return first;
}
