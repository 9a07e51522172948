/*
 * graph - a control-flow graph as numbers: nodes 0 .. node_count - 1, node 0 the
 * entry, each with its successors in order. Knows nothing of LLVM.
 *
 * A successor may occur twice and a node may be unreachable; unreachable nodes
 * are in no order.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <stddef.h>
#include <stdint.h>

#define GRAPH_NONE UINT32_MAX

struct err;

struct graph {
	uint32_t node_count;
	uint32_t *first; /* successors of n: successor[first[n]] .. successor[first[n + 1] - 1] */
	uint32_t *successor;
};

/*
 * Make room for a graph, all zero; the caller fills `first` and `successor`. Release with
 * graph_release(). Returns 0, ERR_NOMEM, or ERR_LIMIT past 2^31 nodes or edges.
 */
int graph_init(struct graph *g, size_t node_count, size_t edge_count, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed graph. */
void graph_release(struct graph *g);

/*
 * The edges turned round, in *out (released by the caller): the predecessors of n, in order of
 * their numbers. Returns 0 or ERR_NOMEM.
 */
int graph_reverse(const struct graph *g, struct graph *out, struct err *err);

/*
 * Reverse post-order from the entry: order[i] is the i-th node, position[n] the place of node n
 * or GRAPH_NONE when unreachable; both have node_count entries of the caller's. Of two
 * successors the first comes first. *count gets the number of reachable nodes. 0 or ERR_NOMEM.
 */
int graph_reverse_post_order(const struct graph *g, uint32_t *order, uint32_t *position,
                             size_t *count, struct err *err);

#endif
