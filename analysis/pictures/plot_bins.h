/*
 * plot_bins - a histogram's bars: one for each of the numbers 0..7, then 8..15, 16..31, ...; with
 * an optional edge that no bar crosses.
 */
#ifndef PLOT_BINS_H
#define PLOT_BINS_H

#include <stddef.h>
#include <stdint.h>

enum { PLOT_BINS_MAX = 80 };

struct plot_bin {
	uint64_t first, last;
	uint64_t count;
};

struct plot_bins {
	struct plot_bin bins[PLOT_BINS_MAX];
	size_t count;
	size_t edge; /* number of bins for numbers below the edge */
};

/*
 * Make bins for the numbers 0..n-1, of which i occurred counts[i] times, up to the last that
 * occurred and the edge; n < 2^32. No edge: UINT64_MAX.
 */
void plot_bins_make(struct plot_bins *b, const uint64_t *counts, size_t n, uint64_t edge);

#endif
