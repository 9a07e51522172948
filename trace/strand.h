/*
 * strand - one access in each of consecutive iterations of a loop, or one row of accesses of the
 * loop inside it: a run or grid while it is expanded; private to trace/.
 */
#ifndef STRAND_H
#define STRAND_H

#include "event_sink.h"
#include "packed_run.h"

#define STRAND_NO_CHILD UINT32_MAX

struct strand {
	uint64_t address; /* in its next iteration */
	uint64_t stride;
	uint64_t first, last; /* iterations */
	uint32_t site;
	uint32_t child;        /* of a grid the loop C of its rows, or STRAND_NO_CHILD */
	uint32_t count;        /* accesses of a row */
	uint64_t inner_stride; /* from one to the next of a row */
};

/* The strand of a run or grid; `child` is the site's own loop. */
struct strand strand_make(const struct packed_run *r, uint32_t child);

/* The row that a grid's strand has in its next iteration, as a strand of the loop inside; moves the
 * grid's on. */
struct strand strand_take_row(struct strand *grid);

/* Sort by first iteration, and by site where that is the same. */
void strands_sort(struct strand *strands, size_t count);

/*
 * Append the accesses of `count` strands, which are no grids, in iterations from `first` on, whose
 * high halves are the same: iteration by iteration, in the order of the array, or as one bundle
 * where the sink is an outline. At most *length iterations; *length gets how many there was room
 * for, and the strands move on by these. Returns 0; EVENT_SINK_FULL when it was not all; ERR_NOMEM
 * or ERR_LIMIT.
 */
int strands_put(struct event_sink *to, struct strand *strands, size_t count, uint64_t first,
                uint64_t *length, struct err *err);

#endif
