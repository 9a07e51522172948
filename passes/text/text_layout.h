/*
 * text_layout - where each node of a control-flow graph is placed in structured code.
 *
 * The code of a node is followed, at the same level, by what must come after it according to the
 * dominator tree: the nodes where paths from it meet, and after a loop the nodes that the loop
 * exits to. A node with a single entry, from its immediate dominator, is placed at that jump
 * instead. So every reachable node has one place. The layout does not say how a jump reaches its
 * target: if it neither falls through nor is a break or continue, a goto is needed. This is the
 * order of Ramsey, "Beyond Relooper: Recursive Translation of Unstructured Control Flow to
 * Structured Control Flow" (2022), with the nodes after a loop moved out of it.
 */
#ifndef TEXT_LAYOUT_H
#define TEXT_LAYOUT_H

#include "graph.h"

struct text_layout {
	uint32_t *follower;      /* per node: the first node after it, or GRAPH_NONE */
	uint32_t *loop_follower; /* per loop: the first node after it, or GRAPH_NONE */
	uint32_t *next;          /* per node: the next in its list, or GRAPH_NONE */
	bool *is_inline;         /* per node: placed at the only jump to it */
	int32_t *loop;           /* per node: the loop whose header it is, or -1 */
};

/*
 * Lay out the `count` nodes of `order` (graph.h); release with text_layout_release(). Returns 0 or
 * ERR_NOMEM.
 */
int text_layout_init(struct text_layout *l, const struct graph *g, const struct loop_forest *f,
                     const uint32_t *order, size_t count, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed layout. */
void text_layout_release(struct text_layout *l);

#endif
