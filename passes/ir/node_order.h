/*
 * node_order - the order in which sites are numbered: reverse post-order of the
 * control-flow graph with the nodes of every loop contiguous.
 *
 * A plain depth-first reverse post-order does not keep loops together: with
 * h -> {b1, b2}, b1 -> latch, b2 -> {latch, exit} the exit may stand between b1
 * and b2. So the nodes directly in a loop are ordered with each loop among them
 * collapsed into one, and then each collapsed loop is replaced by its own order.
 */
#ifndef NODE_ORDER_H
#define NODE_ORDER_H

#include "loop_forest.h"

/*
 * Order the reachable nodes: order[i] is the i-th; order has node_count entries of the caller's,
 * *count gets how many are used. Every edge that is no back edge goes forward (not so in an
 * irreducible graph, where the order is a convention); a loop begins with its header; of
 * successors that are otherwise free the first comes first. Returns 0 or ERR_NOMEM.
 */
int node_order_compute(const struct graph *g, const struct loop_forest *f, uint32_t *order,
                       size_t *count, struct err *err);

#endif
