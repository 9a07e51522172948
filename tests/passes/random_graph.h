/* random_graph - control-flow graphs for tests, from a seed. */
#ifndef RANDOM_GRAPH_H
#define RANDOM_GRAPH_H

#include "graph.h"

/* xorshift64*: a number below `bound`; *state is never 0. */
uint32_t random_below(uint64_t *state, uint32_t bound);

/* Any graph: up to two successors a node, wherever they lead; often irreducible. */
void random_graph_any(struct graph *g, uint64_t *state, uint32_t node_count);

/*
 * A reducible graph: a line of nodes with extra edges forward, then back edges to nodes that
 * dominate their source.
 */
void random_graph_reducible(struct graph *g, uint64_t *state, uint32_t node_count);

#endif
