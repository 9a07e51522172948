/*
 * graph - a control-flow graph as numbers: nodes 0 .. node_count - 1, node 0 the entry, each with
 * its successors in order; its dominators, loops, orders and control dependence. Does not use LLVM.
 *
 * A successor may occur twice, and a node may be unreachable; unreachable nodes are not part of any
 * order.
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
 * Allocate a graph, zeroed; the caller fills `first` and `successor`. Release with graph_release().
 * Returns 0, ERR_NOMEM, or ERR_LIMIT past 2^31 nodes or edges.
 */
int graph_init(struct graph *g, size_t node_count, size_t edge_count, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed graph. */
void graph_release(struct graph *g);

/*
 * Reverse all edges into *out (the caller releases it): the predecessors of n, in order of their
 * numbers. Returns 0 or ERR_NOMEM.
 */
int graph_reverse(const struct graph *g, struct graph *out, struct err *err);

/*
 * Reverse post-order from the entry: order[i] is the i-th node, position[n] the index of node n, or
 * GRAPH_NONE when unreachable. The caller owns both, of node_count entries. The first of two
 * successors comes first. *count is the number of reachable nodes. Returns 0 or ERR_NOMEM.
 */
int graph_reverse_post_order(const struct graph *g, uint32_t *order, uint32_t *position,
                             size_t *count, struct err *err);

/*
 * Dominators and natural loops of a control-flow graph.
 *
 * Dominators are computed after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"
 * (2001). A natural loop is the header h of some back edge n -> h (h dominates n) with all nodes
 * that reach such an n without passing h; back edges with the same header form one loop. Cycles
 * with two entries are not loops: the graph is then called irreducible.
 */

struct forest_loop {
	uint32_t header;
	int32_t parent; /* enclosing loop or -1; always less than its own number */
	uint32_t depth; /* 1 for an outermost loop */
};

struct loop_forest {
	struct forest_loop *loops;
	uint32_t loop_count;
	int32_t *innermost;  /* per node: the innermost loop that contains it, or -1 */
	bool is_irreducible; /* some cycle can be entered other than at a dominating header */
};

/*
 * Compute the immediate dominator of every node: idom[0] == 0, GRAPH_NONE for unreachable nodes.
 * The caller owns idom, of node_count entries. Returns 0 or ERR_NOMEM.
 */
int dominators_compute(const struct graph *g, uint32_t *idom, struct err *err);

/* Find the loops of g; release with loop_forest_release(). Returns 0 or ERR_NOMEM. */
int loop_forest_init(struct loop_forest *f, const struct graph *g, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed forest. */
void loop_forest_release(struct loop_forest *f);

/* Whether loop `inner` is `outer` or is nested in it. `outer` -1 is the whole graph. */
bool loop_forest_contains(const struct loop_forest *f, int32_t outer, int32_t inner);

/*
 * Order the reachable nodes: order[i] is the i-th, *count how many there are. The caller owns
 * order, of node_count entries. Every edge that is not a back edge goes forward (except in an
 * irreducible graph, where the order is a convention); a loop begins with its header; among
 * successors that are otherwise unordered, the first comes first. Returns 0 or ERR_NOMEM.
 */
int node_order_compute(const struct graph *g, const struct loop_forest *f, uint32_t *order,
                       size_t *count, struct err *err);

/*
 * Which jumps decide whether a node is executed: after Ferrante, Ottenstein and Warren, "The
 * Program Dependence Graph and Its Use in Optimization" (1987).
 *
 * All returns count as jumps to one exit. A node that cannot reach a return depends on nothing.
 */

struct control_dependence {
	const struct graph *graph; /* borrowed */
	uint32_t exit;             /* node_count: the exit's number in after[] */
	uint32_t *after;           /* per node: its immediate post-dominator, or GRAPH_NONE */
};

/*
 * Analyse a graph, which must outlive *c. Release in any case. Returns 0, ERR_NOMEM or ERR_LIMIT.
 */
int control_dependence_init(struct control_dependence *c, const struct graph *g, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void control_dependence_release(struct control_dependence *c);

/*
 * Whether `node` depends directly on the jump at the end of `jump`: one way out of it is certain to
 * execute the node, another is not.
 */
bool control_dependence_is_direct(const struct control_dependence *c, uint32_t node, uint32_t jump);

/*
 * Mark in is_member the nodes whose jumps any of `count` nodes depends on, directly or through
 * others. The caller owns is_member: node_count entries, all false. Returns 0 or ERR_NOMEM.
 */
int control_dependence_collect(const struct control_dependence *c, const uint32_t *nodes,
                               size_t count, bool *is_member, struct err *err);

#endif
