/*
 * flow_run - what the work-items of a group do in a flow_program: each alone, and warps of them.
 *
 * A work-item alone walks the graph, and writes the events that an instrumented kernel would. A
 * warp walks it with a reconvergence stack, of one of two kinds:
 *
 *   - FLOW_STACK_GRAPH: after Fung, Sham, Yuan and Aamodt 2007. An entry is a node, the node where
 *     it ends, and lanes. When the lanes of the top go both ways, it goes on at the immediate
 *     post-dominator of the fork, and an entry for each side, ending there, is put on it. Break,
 *     continue and return are edges like others, and so put the post-dominator of a branch that
 *     holds one far away;
 *   - FLOW_STACK_TEXT: the same, but a jump takes its lanes out of all entries up to that of the
 *     loop, or the turn, that it leaves, and those who stay go on beside it: post-dominators are
 *     those of the graph without jumps. So do GPUs that have instructions to break, continue and
 *     return (before each loop and each turn an entry is made in which such lanes wait).
 *
 * A decision depends on the fork, on what its share names, and on how often the work-item has come.
 */
#ifndef FLOW_RUN_H
#define FLOW_RUN_H

#include "event.h"
#include "flow_program.h"

enum {
	FLOW_ITEMS = 384,
	FLOW_LANES = 128,
	FLOW_EVENTS = 1 << 17,
	FLOW_VISITS = 1 << 16,
	FLOW_STEPS = 1 << 16,
};

enum flow_stack { FLOW_STACK_GRAPH, FLOW_STACK_TEXT };

/* A work-item at a site. */
struct flow_visit {
	uint64_t iterations[FLOW_DEPTH]; /* of the loops around the site, from outside in */
	uint64_t value;                  /* of the event: unique in the group */
	int site;
};

struct lane_set {
	uint64_t bits[FLOW_LANES / 64];
};

/* A warp instruction, or several that are alike: lanes, and what they have done before, count. */
struct flow_step {
	struct lane_set lanes;
	int site;
};

struct flow_run {
	const struct flow_program *program;
	uint32_t size[3];
	uint32_t item_count;
	bool is_too_long; /* for the arrays: nothing else holds then */

	struct event events[FLOW_EVENTS];
	uint64_t first[FLOW_ITEMS + 1];
	struct group_events group;
	struct flow_visit visits[FLOW_VISITS];
	uint32_t first_visit[FLOW_ITEMS + 1];

	/* of a warp */
	uint32_t came[FLOW_ITEMS][FLOW_NODES];
	struct flow_step steps[FLOW_STEPS];
	uint32_t step_count;
};

static inline bool lane_set_has(const struct lane_set *s, uint32_t lane)
{
	return s->bits[lane / 64] >> lane % 64 & 1;
}

static inline void lane_set_add(struct lane_set *s, uint32_t lane)
{
	s->bits[lane / 64] |= UINT64_C(1) << lane % 64;
}

/* Let each work-item of a group of this size run alone. */
void flow_run_items(struct flow_run *r, const struct flow_program *p, const uint32_t size[3]);

/* The steps of the warp of `lanes` work-items from `first_item` on; fences and prefetches give
 * none. */
void flow_run_warp(struct flow_run *r, enum flow_stack kind, uint32_t first_item, uint32_t lanes);

#endif
