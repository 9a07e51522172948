/*
 * reuse_counts - how many reads had which reuse distance: exactly for all of them together, in bins
 * for each site.
 *
 * The distance of a read is the number of other lines (and empty ways, reuse_order.h) that were
 * used since the last read of its line, on its SM, in its set. Apart from distances are counted:
 * cold reads, of lines never read before on the SM in the launch, and taken ones, of lines that a
 * write or an atomic took out since.
 */
#ifndef REUSE_COUNTS_H
#define REUSE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

struct err;

/* Bins of sites: distances 0..7 by themselves, then 8..15, 16..31, ... 2^31 and more. */
enum { REUSE_BINS_EXACT = 8, REUSE_BINS = REUSE_BINS_EXACT + 29 };

struct reuse_bins {
	uint64_t cold;
	uint64_t taken;
	uint64_t bins[REUSE_BINS];
};

struct reuse_counts {
	uint64_t cold;
	uint64_t taken;
	uint64_t *exact; /* by distance; grows with the largest */
	size_t count;
	size_t capacity;
};

/* Free what it owns; it is empty again, as a zeroed one is. */
void reuse_counts_release(struct reuse_counts *c);

/* Count a distance, or REUSE_NEVER or REUSE_TAKEN. Returns 0 or ERR_NOMEM. */
int reuse_counts_add(struct reuse_counts *c, uint32_t distance);
void reuse_bins_add(struct reuse_bins *b, uint32_t distance);

/* Add every count of *more to *sum. Returns 0 or ERR_NOMEM. */
int reuse_counts_sum(struct reuse_counts *sum, const struct reuse_counts *more, struct err *err);
void reuse_bins_sum(struct reuse_bins *sum, const struct reuse_bins *more);

/* The counts in bins. */
void reuse_counts_bins(const struct reuse_counts *c, struct reuse_bins *out);

/* All reads, and those that miss with so many ways (lines, where fully associative). */
uint64_t reuse_counts_reads(const struct reuse_counts *c);
uint64_t reuse_counts_misses(const struct reuse_counts *c, uint64_t ways);

/* The least number of ways that more of would not miss less; 1 at least. */
uint64_t reuse_counts_enough(const struct reuse_counts *c);

/* The bin of a distance, and the first distance of a bin. */
static inline uint32_t reuse_bin(uint32_t distance)
{
	return distance < REUSE_BINS_EXACT
	               ? distance
	               : REUSE_BINS_EXACT + 28 - (uint32_t)__builtin_clz(distance);
}

static inline uint32_t reuse_bin_first(uint32_t bin)
{
	return bin < REUSE_BINS_EXACT ? bin : UINT32_C(8) << (bin - REUSE_BINS_EXACT);
}

#endif
