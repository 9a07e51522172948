/*
 * loop_bounds - how often a node of a kernel can be passed at most, where constants bound it.
 *
 * Knows loops that count from a constant by a constant up to a constant, and are left where that
 * is asked in every iteration. Not what the bounds of two loops have to do with each other.
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

/* Fill bounds[], zeroed, one for each loop; a loop of more than `limit` iterations has none. */
void loop_bounds_find(const struct insertion *in, uint64_t limit, struct loop_bound *bounds);

/*
 * How often a node is passed at most each time its loop, whose bound this is, is entered: 0 when
 * that is not known.
 */
uint64_t loop_bounds_passes(const struct insertion *in, const struct loop_bound *b, uint32_t node);

/* Whether every iteration of loop l that goes on to the next passes the node. */
bool loop_bounds_meet(const struct insertion *in, uint32_t l, uint32_t node);

/*
 * times[n] gets how often node n is passed by a work-item at most, or 0 when that is not known, or
 * more than `limit`.
 */
void loop_bounds_times(const struct insertion *in, const struct loop_bound *bounds, uint64_t limit,
                       uint64_t *times);

#endif
