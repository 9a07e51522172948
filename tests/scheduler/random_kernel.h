/*
 * random_kernel - random structured kernels for tests: what a lane does alone, what a warp does.
 *
 * A kernel is a tree of accesses, barriers (outermost level only), branches,
 * loops and jumps; conditions and trip counts depend on the lane and on how
 * often it came there. One interpreter runs a lane alone and writes its events,
 * as an instrumented kernel would. The other runs all lanes at once with a
 * reconvergence stack, as SIMT hardware does: both sides of a branch one after
 * the other, then together at its join (the immediate post-dominator); lanes
 * that leave a loop or skip the rest of an iteration wait at its exit or its
 * end; lanes that return are gone. The second is the oracle for the order of
 * SEMANTICS 2.
 */
#ifndef RANDOM_KERNEL_H
#define RANDOM_KERNEL_H

#include "group_events.h"
#include "kernel_table.h"

enum {
	KERNEL_LANES = 32,
	KERNEL_NODES = 200,
	KERNEL_SITES = 100,
	KERNEL_LOOPS = 20,
	KERNEL_STEPS = 200000,
	KERNEL_EVENTS = 400000,
};

enum node_kind {
	NODE_ACCESS,
	NODE_BARRIER,
	NODE_BRANCH,
	NODE_LOOP,
	NODE_BREAK,
	NODE_CONTINUE,
	NODE_RETURN
};

struct node {
	enum node_kind kind;
	int next;            /* what follows in the same list, or -1 */
	int then, otherwise; /* lists: sides of a branch; body of a loop; or -1 */
	uint32_t site; /* of an access or barrier; of an access in a loop's head, or NO_SITE */
	int loop;      /* of a loop: its number */
	uint64_t base; /* of a loop: the number of its first iteration (0 in a real kernel) */
};

/* A warp instruction; the value is that of the first active lane. */
struct kernel_step {
	uint32_t site;
	uint32_t mask;
	uint64_t value;
};

struct random_kernel {
	uint64_t seed;
	bool has_late_jumps; /* accesses in branches that leave a loop, which lie outside the loop
	                      */
	struct node nodes[KERNEL_NODES];
	int node_count, root;
	struct site sites[KERNEL_SITES];
	struct loop loops[KERNEL_LOOPS];
	struct kernel_table table;

	/* of a run */
	uint32_t visits[KERNEL_NODES][KERNEL_LANES];
	struct event events[KERNEL_EVENTS];
	uint64_t first[KERNEL_LANES + 1];
	struct group_events group;
	struct kernel_step steps[KERNEL_STEPS];
	uint32_t step_count;
};

/* Make a kernel from a seed. */
void random_kernel_make(struct random_kernel *k, uint64_t seed, bool has_late_jumps);

/* Run each lane alone: fills group. */
void random_kernel_run_lanes(struct random_kernel *k);

/* Run the warp with a reconvergence stack: fills steps. */
void random_kernel_run_warp(struct random_kernel *k);

#endif
