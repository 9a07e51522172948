/*
 * graph - a control-flow graph as numbers: nodes 0 .. node_count - 1, node 0 the entry, each with
 * its successors in order; its dominators, loops, orders and control dependence. Does not use LLVM.
 *
 * A successor may occur twice and a node may be unreachable; unreachable nodes
 * are in no order.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdbool.h>
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

/*
 * Dominators and natural loops of a control-flow graph.
 *
 * Dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
 * Algorithm" (2001). A natural loop is the header h of some back edge n -> h (h
 * dominates n) with all nodes that reach such an n without passing h; back
 * edges with one header make one loop. Cycles with two entries are no loops:
 * the graph is then called irreducible.
 */

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
 * Order the reachable nodes: order[i] is the i-th; order has node_count entries of the caller's,
 * *count gets how many are used. Every edge that is no back edge goes forward (not so in an
 * irreducible graph, where the order is a convention); a loop begins with its header; of
 * successors that are otherwise free the first comes first. Returns 0 or ERR_NOMEM.
 */
int node_order_compute(const struct graph *g, const struct loop_forest *f, uint32_t *order,
                       size_t *count, struct err *err);

/*
 * Which jumps decide whether a node is passed: by Ferrante, Ottenstein and
 * Warren, "The Program Dependence Graph and Its Use in Optimization" (1987).
 *
 * Knows nothing of LLVM. All returns are taken as jumps to one exit; a node from which no return
 * can be reached depends on nothing.
 */

struct control_dependence {
	const struct graph *graph; /* borrowed */
	uint32_t exit;             /* node_count: the exit's number in after[] */
	uint32_t *after;           /* per node: its immediate post-dominator; GRAPH_NONE: none */
};

/* Read a graph, which must live as long; release in any case. Returns 0, ERR_NOMEM or ERR_LIMIT. */
int control_dependence_init(struct control_dependence *c, const struct graph *g, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void control_dependence_release(struct control_dependence *c);

/*
 * Whether node `node` depends on the jump at the end of node `jump` itself: on some way from there
 * it is surely passed, on another not.
 */
bool control_dependence_is_direct(const struct control_dependence *c, uint32_t node, uint32_t jump);

/*
 * Mark in is_member, node_count entries of the caller's, all false, the nodes whose jumps any of
 * `count` nodes depends on, directly or by way of others. Returns 0 or ERR_NOMEM.
 */
int control_dependence_collect(const struct control_dependence *c, const uint32_t *nodes,
                               size_t count, bool *is_member, struct err *err);

#endif
