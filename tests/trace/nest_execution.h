/*
 * nest_execution - random work-items that go through a kernel's loops: every access with the
 * iterations of all loops around it, in order. From it the plain stream is made by definition, and
 * packed ones at random: what the tests of the expander compare.
 */
#ifndef NEST_EXECUTION_H
#define NEST_EXECUTION_H

#include "packed_run.h"
#include "trace_random.h"

#define NEST_DEPTH_MAX   12
#define NEST_ENTRIES_MAX 3000

/* An access, barrier or fence; or a run or grid. */
struct nest_entry {
	uint64_t order;                /* entries are sorted by it */
	uint64_t began;                /* of a run or grid: order of its first access */
	uint64_t path[NEST_DEPTH_MAX]; /* iterations of the loops around, outermost first */
	int32_t loop; /* the innermost of them, or -1; of a run or grid the loop L of event.h */
	bool is_run;
	struct packed_run run;
	uint32_t site;
	uint64_t value;
	uint64_t size; /* of an access of a size known only at run time; else 0 */
};

struct nest_execution {
	struct nest_entry *entries;
	size_t count;
};

/* A random course of one work-item through a table; free the entries. */
void nest_execution_make(struct random *r, const struct kernel_table *t, struct nest_execution *x);

/* Make runs and grids of some of the accesses. */
void nest_execution_pack(struct random *r, const struct kernel_table *t, struct nest_execution *x);

/* The canonical events of the entries, to events[] with room for them; returns how many. An
 * access makes at most 3 + NEST_DEPTH_MAX events. */
size_t nest_execution_events(const struct nest_execution *x, const struct kernel_table *t,
                             struct event *events);

/* Depth of a loop; 0 for -1. */
size_t nest_depth(const struct kernel_table *t, int32_t loop);

/* Whether the entry lies in the activation of `loop` that the first iterations of `path` say. */
bool nest_entry_lies_in(const struct nest_entry *e, const struct kernel_table *t, int32_t loop,
                        const uint64_t *path);

#endif
