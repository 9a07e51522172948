/*
 * plot_clock - numbers the accesses of all SMs in the order of time, without storing them.
 *
 * A replay runs SMs ahead of each other, so that accesses do not come in the order of time. The
 * launch is therefore replayed twice: first the clock counts the accesses of each SM and cycle,
 * then it assigns numbers. In one cycle, SMs are in the order of their numbers, and accesses of one
 * SM in the order in which they are reported. A long launch is counted in spans of 2^n cycles, each
 * SM's part of a span together, so that the counts take at most 32 MiB. There are at least 4,096
 * spans, several for each column of a picture.
 */
#ifndef PLOT_CLOCK_H
#define PLOT_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct err;

struct plot_clock {
	uint64_t *counts; /* of span s and SM m at s * sm_count + m: first the number of accesses,
	                     then the number of the next one */
	uint64_t spans;   /* capacity in spans, a power of two */
	uint64_t used;    /* spans up to the last one with accesses */
	uint64_t total;   /* accesses */
	uint32_t sm_count;
	uint32_t shift; /* a span is 2^shift cycles */
};

/* Begin; `sm_count` >= 1. Returns 0 or ERR_NOMEM. Release in every case. */
int plot_clock_init(struct plot_clock *c, uint32_t sm_count, struct err *err);
void plot_clock_release(struct plot_clock *c);

/* In the first pass: count `count` accesses of an SM at a cycle. */
void plot_clock_count(struct plot_clock *c, uint32_t sm, uint64_t cycle, uint64_t count);

/* Call once between the passes. */
void plot_clock_start(struct plot_clock *c);

/* In the second pass, with the same accesses: returns the number, from 0, of the first of `count`.
 */
uint64_t plot_clock_take(struct plot_clock *c, uint32_t sm, uint64_t cycle, uint64_t count);

#endif
