/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_COUNT ((size_t)INT32_MAX)

int graph_init(struct graph *g, size_t node_count, size_t edge_count, struct err *err)
{
	memset(g, 0, sizeof(*g));
	if (node_count > LIMIT_COUNT || edge_count > LIMIT_COUNT)
		return err_set(err, ERR_LIMIT,
		               "a control-flow graph of %zu nodes and %zu edges exceeds %zu",
		               node_count, edge_count, LIMIT_COUNT);
	g->first = array_alloc(node_count + 1, sizeof(*g->first), "a control-flow graph", err);
	g->successor = array_alloc(edge_count, sizeof(*g->successor), "a control-flow graph", err);
	if (!g->first || !g->successor) {
		graph_release(g);
		return ERR_NOMEM;
	}
	g->node_count = (uint32_t)node_count;
	return 0;
}

void graph_release(struct graph *g)
{
	free(g->first);
	free(g->successor);
	memset(g, 0, sizeof(*g));
}

int graph_reverse(const struct graph *g, struct graph *out, struct err *err)
{
	uint32_t edge_count = g->first[g->node_count];
	int ret = graph_init(out, g->node_count, edge_count, err);

	if (ret)
		return ret;
	/* first[n + 1] counts the edges into n, then becomes the end of n's list. */
	for (uint32_t e = 0; e < edge_count; e++)
		out->first[g->successor[e] + 1]++;
	for (uint32_t n = 0; n < g->node_count; n++)
		out->first[n + 1] += out->first[n];
	/* Filled from the back, so that each list ends up in ascending order. */
	for (uint32_t n = g->node_count; n-- > 0;)
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
			out->successor[--out->first[g->successor[e] + 1]] = n;
	/* Each end has moved to its beginning: shift back. */
	for (uint32_t n = 0; n < g->node_count; n++)
		out->first[n] = out->first[n + 1];
	out->first[g->node_count] = edge_count;
	return 0;
}

int graph_reverse_post_order(const struct graph *g, uint32_t *order, uint32_t *position,
                             size_t *count, struct err *err)
{
	/* The path of the walk: cursor[n] is one past the next successor of n to look at. */
	uint32_t *path = array_alloc(g->node_count, sizeof(*path), "a walk of a graph", err);
	uint32_t *cursor = array_alloc(g->node_count, sizeof(*cursor), "a walk of a graph", err);
	size_t depth = 0, place = g->node_count;
	int ret = path && cursor ? 0 : ERR_NOMEM;

	for (uint32_t n = 0; !ret && n < g->node_count; n++) {
		position[n] = GRAPH_NONE;
		cursor[n] = g->first[n + 1];
	}
	if (!ret && g->node_count) {
		position[0] = 0;
		path[depth++] = 0;
	}
	while (depth > 0) {
		uint32_t n = path[depth - 1];

		if (cursor[n] > g->first[n]) {
			uint32_t s = g->successor[--cursor[n]];

			if (position[s] == GRAPH_NONE) {
				position[s] = 0;
				path[depth++] = s;
			}
		} else {
			order[--place] = n;
			depth--;
		}
	}
	if (!ret) {
		*count = g->node_count - place;
		memmove(order, order + place, *count * sizeof(*order));
		for (uint32_t i = 0; i < *count; i++)
			position[order[i]] = i;
	}
	free(path);
	free(cursor);
	return ret;
}
