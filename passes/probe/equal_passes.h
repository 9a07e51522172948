/*
 * equal_passes - which nodes of a kernel are passed equally often in every execution that ends.
 *
 * Two nodes in no loop: if one dominates the other, and is post-dominated by it. Two nodes directly
 * in one loop: if the same holds of one iteration, which ends where the loop's header is entered
 * again or the loop is left. Others are not compared, and nothing is known of irreducible graphs.
 */
#ifndef EQUAL_PASSES_H
#define EQUAL_PASSES_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct kernel_flow;

struct equal_passes {
	const struct kernel_flow *flow;
	const uint32_t *idom; /* borrowed */
	/* For each depth of loops, from 0: immediate post-dominators by number of the node + 1, 0
	 * the end of everything, which is where an iteration of a loop up to that depth ends. */
	uint32_t **post;
	uint32_t depth_count;
};

/* Prepare for a flow and its dominators, both borrowed. Release in every case. 0 or ERR_NOMEM. */
int equal_passes_init(struct equal_passes *e, const struct kernel_flow *flow, const uint32_t *idom,
                      struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void equal_passes_release(struct equal_passes *e);

/* The first node that is passed as often as this one: itself, or a dominator. */
uint32_t equal_passes_first(const struct equal_passes *e, uint32_t node);

#endif
