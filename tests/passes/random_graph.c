/* SPDX-License-Identifier: Apache-2.0 */
#include "random_graph.h"

#include "graph.h"

#include "cmocka_all.h"

#include <stdlib.h>

uint32_t random_below(uint64_t *state, uint32_t bound)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * 0x2545f4914f6cdd1dull) >> 33) % bound;
}

/* A graph of the lists to[n][0 .. count[n] - 1]. */
static void make(struct graph *g, uint32_t node_count, uint32_t (*to)[3], const uint32_t *count)
{
	uint32_t edge = 0, total = 0;

	for (uint32_t n = 0; n < node_count; n++)
		total += count[n];
	assert_int_equal(graph_init(g, node_count, total, NULL), 0);
	for (uint32_t n = 0; n < node_count; n++) {
		g->first[n] = edge;
		for (uint32_t i = 0; i < count[n]; i++)
			g->successor[edge++] = to[n][i];
	}
	g->first[node_count] = edge;
}

void random_graph_any(struct graph *g, uint64_t *state, uint32_t node_count)
{
	uint32_t(*to)[3] = calloc(node_count, sizeof(*to));
	uint32_t *count = calloc(node_count, sizeof(*count));

	assert_true(to && count);
	for (uint32_t n = 0; n < node_count; n++) {
		count[n] = random_below(state, 3);
		for (uint32_t i = 0; i < count[n]; i++)
			to[n][i] = random_below(state, node_count);
	}
	make(g, node_count, to, count);
	free(to);
	free(count);
}

void random_graph_reducible(struct graph *g, uint64_t *state, uint32_t node_count)
{
	uint32_t(*to)[3] = calloc(node_count, sizeof(*to));
	uint32_t *count = calloc(node_count, sizeof(*count));
	uint32_t *idom = calloc(node_count, sizeof(*idom));

	assert_true(to && count && idom);
	for (uint32_t n = 0; n + 1 < node_count; n++) {
		to[n][count[n]++] = n + 1 + random_below(state, node_count - n - 1) % 3;
		if (to[n][0] >= node_count)
			to[n][0] = node_count - 1;
		if (random_below(state, 2))
			to[n][count[n]++] = n + 1 + random_below(state, node_count - n - 1);
	}
	make(g, node_count, to, count);
	assert_int_equal(dominators_compute(g, idom, NULL), 0);
	for (uint32_t n = 0; n < node_count; n++) {
		uint32_t header = n;

		if (idom[n] == GRAPH_NONE || random_below(state, 3))
			continue;
		for (uint32_t up = random_below(state, 6); up > 0 && header; up--)
			header = idom[header];
		/* The entry has no predecessors. */
		if (header)
			to[n][count[n]++] = header;
	}
	graph_release(g);
	make(g, node_count, to, count);
	free(to);
	free(count);
	free(idom);
}
