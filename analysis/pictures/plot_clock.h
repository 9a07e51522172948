/*
 * plot_clock - numbers the accesses of all SMs in the order of time, without keeping them.
 *
 * A replay runs SMs ahead of each other, so that accesses do not come in the order of time. The
 * launch is therefore replayed twice: first the clock counts the accesses of each SM and cycle,
 * then it assigns numbers. In one cycle, SMs go in order of their number, and those of one SM as
 * they come. A long launch is counted in spans of 2^n cycles, each SM's share of a span together:
 * as many spans as keep the counts at 32 MiB or less. There are 4,096 spans at least, several for
 * each column of a picture.
 */
#ifndef PLOT_CLOCK_H
#define PLOT_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct err;

struct plot_clock {
	uint64_t *counts; /* of span s and SM m at s * sm_count + m: first how many accesses, then
	                     the number of the next */
	uint64_t spans;   /* that there is room for: a power of two */
	uint64_t used;    /* spans up to the last one with accesses */
	uint64_t total;   /* accesses */
	uint32_t sm_count;
	uint32_t shift; /* a span is 2^shift cycles */
};

/* Returns 0 or ERR_NOMEM. Release in every case. `sm_count` >= 1. */
int plot_clock_init(struct plot_clock *c, uint32_t sm_count, struct err *err);
void plot_clock_release(struct plot_clock *c);

/* First pass: `count` accesses of an SM at a cycle. */
void plot_clock_count(struct plot_clock *c, uint32_t sm, uint64_t cycle, uint64_t count);

/* Between the passes, once. */
void plot_clock_start(struct plot_clock *c);

/* Second pass, with the same accesses: the number, from 0, of the first of `count`. */
uint64_t plot_clock_take(struct plot_clock *c, uint32_t sm, uint64_t cycle, uint64_t count);

#endif
