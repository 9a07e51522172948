/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_bins.h"

#include <assert.h>

/* Returns the last number of a bin that begins with `first`. */
static uint64_t last_of(uint64_t first, uint64_t edge)
{
	uint64_t end = 8;

	if (first < end)
		return first;
	while (end <= first)
		end *= 2;
	return (first < edge && edge < end ? edge : end) - 1;
}

void plot_bins_make(struct plot_bins *b, const uint64_t *counts, size_t n, uint64_t edge)
{
	uint64_t next = 0, end;

	while (n && !counts[n - 1])
		n--;
	end = edge != UINT64_MAX && edge > n ? edge : n;
	*b = (struct plot_bins){ 0 };
	while (next < end) {
		struct plot_bin *bin = &b->bins[b->count++];

		assert(b->count < PLOT_BINS_MAX);
		*bin = (struct plot_bin){ next, last_of(next, edge), 0 };
		for (; next <= bin->last && next < n; next++)
			bin->count += counts[next];
		next = bin->last + 1;
		if (bin->last < edge)
			b->edge = b->count;
	}
}
