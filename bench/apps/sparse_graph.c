/* SPDX-License-Identifier: Apache-2.0 */
#include "sparse_graph.h"

#include <stdlib.h>

enum { MAX_DEGREE = 8, MIN_DRAWN = 2, MAX_DRAWN = 4 };

static void init_directed(struct sparse_graph *g, const struct host *host)
{
	uint64_t seed = 1;
	cl_uint edges = 0;

	g->neighbour = host_alloc(host, g->nodes * MAX_DEGREE, sizeof(*g->neighbour));
	for (size_t node = 0; node < g->nodes; node++) {
		size_t degree = 1 + host_random(&seed) % MAX_DEGREE;

		g->row[node] = edges;
		for (size_t i = 0; i < degree; i++)
			g->neighbour[edges++] = (cl_uint)(host_random(&seed) % g->nodes);
	}
	g->row[g->nodes] = edges;
}

/* Draw all edges; add both ends of each to `place` of its node and, where neighbour is not NULL,
 * put the other end there before. */
static void draw_both_ways(const struct sparse_graph *g, cl_uint *place)
{
	uint64_t seed = 1;

	for (size_t node = 0; node < g->nodes; node++) {
		size_t degree = MIN_DRAWN + host_random(&seed) % (MAX_DRAWN - MIN_DRAWN + 1);

		for (size_t i = 0; i < degree; i++) {
			size_t other = host_random(&seed) % g->nodes;

			if (g->neighbour)
				g->neighbour[place[node]] = (cl_uint)other;
			place[node]++;
			if (g->neighbour)
				g->neighbour[place[other]] = (cl_uint)node;
			place[other]++;
		}
	}
}

static void init_both_ways(struct sparse_graph *g, const struct host *host)
{
	cl_uint *place = host_alloc(host, g->nodes, sizeof(*place));

	draw_both_ways(g, place);
	for (size_t node = 0; node < g->nodes; node++) {
		g->row[node + 1] = g->row[node] + place[node];
		place[node] = g->row[node];
	}
	g->neighbour = host_alloc(host, g->row[g->nodes], sizeof(*g->neighbour));
	draw_both_ways(g, place);
	free(place);
}

void sparse_graph_init(struct sparse_graph *g, const struct host *host)
{
	*g = (struct sparse_graph){ .nodes = host->size };
	g->row = host_alloc(host, g->nodes + 1, sizeof(*g->row));
	if (host->input == GRAPH_BOTH_WAYS)
		init_both_ways(g, host);
	else
		init_directed(g, host);
}

void sparse_graph_release(struct sparse_graph *g)
{
	free(g->row);
	free(g->neighbour);
	*g = (struct sparse_graph){ 0 };
}

void sparse_graph_levels(const struct sparse_graph *g, const struct host *host, cl_uint *level)
{
	cl_uint *queue = host_alloc(host, g->nodes, sizeof(*queue));
	size_t head = 0, tail = 0;

	for (size_t node = 0; node < g->nodes; node++)
		level[node] = UINT32_MAX;
	level[0] = 0;
	queue[tail++] = 0;
	while (head < tail) {
		cl_uint node = queue[head++];

		for (cl_uint edge = g->row[node]; edge < g->row[node + 1]; edge++) {
			cl_uint other = g->neighbour[edge];

			if (level[other] == UINT32_MAX) {
				level[other] = level[node] + 1;
				queue[tail++] = other;
			}
		}
	}
	free(queue);
}
