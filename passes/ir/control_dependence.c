/* SPDX-License-Identifier: Apache-2.0 */
#include "control_dependence.h"

#include "array.h"
#include "err.h"
#include "loop_forest.h"

#include <stdlib.h>
#include <string.h>

/*
 * The graph with all edges turned round and the exit first, as dominators_compute() wants it: node
 * 0 is the exit, node n + 1 is n.
 */
static int turn_round(const struct graph *g, struct graph *turned, struct err *err)
{
	size_t edge_count = g->first[g->node_count], leaving = 0;
	struct graph forward = { 0 };
	uint32_t edge = 0;
	int ret;

	for (uint32_t n = 0; n < g->node_count; n++)
		leaving += g->first[n] == g->first[n + 1];
	ret = graph_init(&forward, (size_t)g->node_count + 1, edge_count + leaving, err);
	if (ret)
		return ret;
	for (uint32_t n = 0; n < g->node_count; n++) {
		forward.first[n + 1] = edge;
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
			forward.successor[edge++] = g->successor[e] + 1;
		if (g->first[n] == g->first[n + 1])
			forward.successor[edge++] = 0;
	}
	forward.first[g->node_count + 1] = edge;
	ret = graph_reverse(&forward, turned, err);
	graph_release(&forward);
	return ret;
}

int control_dependence_init(struct control_dependence *c, const struct graph *g, struct err *err)
{
	struct graph turned = { 0 };
	uint32_t *idom;
	int ret;

	*c = (struct control_dependence){ .graph = g, .exit = g->node_count };
	idom = array_alloc((size_t)g->node_count + 1, sizeof(*idom), "control flow", err);
	c->after = array_alloc(g->node_count, sizeof(*c->after), "control flow", err);
	ret = idom && c->after ? turn_round(g, &turned, err) : ERR_NOMEM;
	if (!ret)
		ret = dominators_compute(&turned, idom, err);
	for (uint32_t n = 0; !ret && n < g->node_count; n++) {
		uint32_t d = idom[n + 1];

		c->after[n] = d == GRAPH_NONE ? GRAPH_NONE : d == 0 ? c->exit : d - 1;
	}
	graph_release(&turned);
	free(idom);
	return ret;
}

void control_dependence_release(struct control_dependence *c)
{
	free(c->after);
	memset(c, 0, sizeof(*c));
}

/* From each way out of the jump up the tree, to what lies behind all of them. */
bool control_dependence_is_direct(const struct control_dependence *c, uint32_t node, uint32_t jump)
{
	const struct graph *g = c->graph;
	uint32_t end = c->after[jump];

	for (uint32_t e = g->first[jump]; e < g->first[jump + 1]; e++)
		for (uint32_t n = g->successor[e]; n != end && n != c->exit && n != GRAPH_NONE;
		     n = c->after[n])
			if (n == node)
				return true;
	return false;
}

/* Nodes are pushed as they become members; those of the caller may come twice. */
int control_dependence_collect(const struct control_dependence *c, const uint32_t *nodes,
                               size_t count, bool *is_member, struct err *err)
{
	uint32_t node_count = c->graph->node_count;
	size_t depth = count;
	uint32_t *stack = array_alloc(count + node_count + 1, sizeof(*stack), "control flow", err);

	if (!stack)
		return ERR_NOMEM;
	memcpy(stack, nodes, count * sizeof(*stack));
	while (depth) {
		uint32_t of = stack[--depth];

		for (uint32_t jump = 0; jump < node_count; jump++) {
			if (is_member[jump] || !control_dependence_is_direct(c, of, jump))
				continue;
			is_member[jump] = true;
			stack[depth++] = jump;
		}
	}
	free(stack);
	return 0;
}
