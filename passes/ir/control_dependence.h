/*
 * control_dependence - which jumps decide whether a node is passed: by Ferrante, Ottenstein and
 * Warren, "The Program Dependence Graph and Its Use in Optimization" (1987).
 *
 * Knows nothing of LLVM. All returns are taken as jumps to one exit; a node from which no return
 * can be reached depends on nothing.
 */
#ifndef CONTROL_DEPENDENCE_H
#define CONTROL_DEPENDENCE_H

#include "graph.h"

#include <stdbool.h>

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
