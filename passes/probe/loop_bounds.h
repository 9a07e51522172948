/*
 * loop_bounds - how often a node of a kernel can be executed at most, where constants bound it.
 *
 * Handles loops that count from a constant by a constant up to a constant, with an exit test in
 * every iteration. Does not relate the bounds of different loops.
 */
#ifndef LOOP_BOUNDS_H
#define LOOP_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

struct insertion;

struct loop_bound {
	uint64_t passes; /* of the node `test`; nodes after it one less; 0: not known */
	uint32_t test;
};

/* Fill bounds[], zeroed, one for each loop; a loop of more than `limit` iterations gets none. */
void loop_bounds_find(const struct insertion *in, uint64_t limit, struct loop_bound *bounds);

/*
 * How often a node is executed at most each time its loop, whose bound this is, is entered; 0 when
 * not known.
 */
uint64_t loop_bounds_passes(const struct insertion *in, const struct loop_bound *b, uint32_t node);

/* Whether every iteration of loop l that continues executes the node. */
bool loop_bounds_meet(const struct insertion *in, uint32_t l, uint32_t node);

/*
 * Set times[n] to the maximum number of times that a work-item executes node n, or 0 when that is
 * not known, or exceeds `limit`.
 */
void loop_bounds_times(const struct insertion *in, const struct loop_bound *bounds, uint64_t limit,
                       uint64_t *times);

#endif
