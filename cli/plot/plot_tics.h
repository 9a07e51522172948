/*
 * plot_tics - where the marks of an axis are, at whole numbers, and what is written there.
 */
#ifndef PLOT_TICS_H
#define PLOT_TICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct plot_tics {
	uint64_t first, step; /* a multiple of the step, which is >= 1 */
	uint32_t count;
};

/*
 * Tics within low..high, at most `most` + 1 (most >= 1) apart from each other by a power of two
 * when that fits the axis exactly four or more times, as buffers are often of such a size; else by
 * 1, 2 or 5 times a power of ten.
 */
struct plot_tics plot_tics_make(uint64_t low, uint64_t high, uint32_t most);

/* gnuplot's command for them; `axis` is "x", "y" or "cb". Without numbers: marks alone. */
void plot_tics_write(const char *axis, struct plot_tics tics, bool has_numbers, FILE *out);

#endif
