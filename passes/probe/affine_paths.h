/*
 * affine_paths - which nodes of a loop are passed on the way from the loop's header
 * to some other place of it, in one iteration.
 *
 * For loops of reducible graphs. An iteration is a path from the header that does
 * not come back to it; it ends at the latch, or at a node with an edge out of the
 * loop. Loops inside are taken to end.
 */
#ifndef AFFINE_PATHS_H
#define AFFINE_PATHS_H

#include "graph.h"

#include <stdbool.h>

struct err;
struct kernel_flow;

/* A conditional edge. */
struct affine_edge {
	uint32_t from, to;
};

struct affine_paths {
	const struct kernel_flow *flow;
	struct graph predecessors;
	uint32_t *idom, *position, *stack;
	bool *is_seen;
};

enum affine_passage {
	AFFINE_NEVER,       /* the node is not passed */
	AFFINE_CONDITIONAL, /* it is passed if and only if every edge of the list would be taken */
	AFFINE_UNKNOWN,     /* neither */
};

/* A node lies under at most so many conditional edges, else it is AFFINE_UNKNOWN. */
#define AFFINE_EDGES_MOST 8

/* Prepare for a flow, borrowed; release with affine_paths_release(). Returns 0 or ERR_NOMEM. */
int affine_paths_init(struct affine_paths *p, const struct kernel_flow *flow, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void affine_paths_release(struct affine_paths *p);

/* The one node that jumps back to the header of a loop, or GRAPH_NONE when there are several. */
uint32_t affine_paths_latch(const struct affine_paths *p, int32_t loop);

/*
 * Whether an iteration of `loop` that ends at `end` passes `node`; node lies directly in the loop,
 * `end` in it. With AFFINE_CONDITIONAL, edges[0 .. *count - 1] gets the conditional edges, none
 * when it always passes; each leaves a node directly in the loop that has a two-way branch. A node
 * passed in an iteration has all of them taken, also when they are those for another end.
 */
enum affine_passage affine_paths_find(struct affine_paths *p, int32_t loop, uint32_t node,
                                      uint32_t end, struct affine_edge edges[AFFINE_EDGES_MOST],
                                      uint32_t *count);

#endif
