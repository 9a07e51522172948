/*
 * loop_forest - dominators and natural loops of a control-flow graph.
 *
 * Dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
 * Algorithm" (2001). A natural loop is the header h of some back edge n -> h (h
 * dominates n) with all nodes that reach such an n without passing h; back
 * edges with one header make one loop. Cycles with two entries are no loops:
 * the graph is then called irreducible.
 */
#ifndef LOOP_FOREST_H
#define LOOP_FOREST_H

#include "graph.h"

#include <stdbool.h>

struct forest_loop {
	uint32_t header;
	int32_t parent; /* enclosing loop or -1; parent < own number */
	uint32_t depth; /* 1 for a loop that lies in no other */
};

struct loop_forest {
	struct forest_loop *loops;
	uint32_t loop_count;
	int32_t *innermost;  /* per node: the innermost loop that holds it, or -1 */
	bool is_irreducible; /* some cycle is entered elsewhere than at a dominating header */
};

/*
 * The immediate dominator of every node: idom[0] == 0, GRAPH_NONE for unreachable nodes; idom has
 * node_count entries of the caller's. Returns 0 or ERR_NOMEM.
 */
int dominators_compute(const struct graph *g, uint32_t *idom, struct err *err);

/* Find the loops of g; release with loop_forest_release(). Returns 0 or ERR_NOMEM. */
int loop_forest_init(struct loop_forest *f, const struct graph *g, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed forest. */
void loop_forest_release(struct loop_forest *f);

/* Whether loop `inner` is `outer` or lies in it. `outer` -1 is the whole graph. */
bool loop_forest_contains(const struct loop_forest *f, int32_t outer, int32_t inner);

/*
 * The order in which sites are numbered: reverse post-order of the
 * control-flow graph with the nodes of every loop contiguous.
 *
 * A plain depth-first reverse post-order does not keep loops together: with
 * h -> {b1, b2}, b1 -> latch, b2 -> {latch, exit} the exit may stand between b1
 * and b2. So the nodes directly in a loop are ordered with each loop among them
 * collapsed into one, and then each collapsed loop is replaced by its own order.
 */

/*
 * Order the reachable nodes: order[i] is the i-th; order has node_count entries of the caller's,
 * *count gets how many are used. Every edge that is no back edge goes forward (not so in an
 * irreducible graph, where the order is a convention); a loop begins with its header; of
 * successors that are otherwise free the first comes first. Returns 0 or ERR_NOMEM.
 */
int node_order_compute(const struct graph *g, const struct loop_forest *f, uint32_t *order,
                       size_t *count, struct err *err);

#endif
