/*
 * loop_bounds - how often a node of a kernel can be passed at most, where constants tell.
 *
 * Knows loops that count from a constant by a constant up to a constant, and are left where that
 * is asked in every iteration. Not what the bounds of two loops have to do with each other.
 */
#ifndef LOOP_BOUNDS_H
#define LOOP_BOUNDS_H

#include <stdint.h>

struct err;
struct insertion;

/*
 * times[n] gets how often node n is passed by a work-item at most, or 0 when that is not known, or
 * more than `limit`. Returns 0 or ERR_NOMEM.
 */
int loop_bounds_find(const struct insertion *in, uint64_t limit, uint64_t *times, struct err *err);

#endif
