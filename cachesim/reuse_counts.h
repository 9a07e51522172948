/*
 * reuse_counts - how many reads had which reuse distance: of all of them together, and in bins for
 * each site.
 *
 * The distance of a read is the number of other lines (and empty ways, reuse_order.h) that were
 * used since the last read of its line, on its SM, in its set. Apart from distances are counted:
 * cold reads, of lines never read before on the SM in the launch, and taken ones, of lines that a
 * write or an atomic took out since.
 *
 * Distances below `limit` are counted exactly, and so is how many reads are left, which are the
 * ones that miss in a cache of `limit` ways. How these divide into cold, taken and greater
 * distances is known exactly, or estimated from a sample (miss_curve.c), or not known: within a
 * set.
 *
 * An estimate is a ratio of sampled reads, of which each stands for as many as its line does. It
 * has two errors, both half of an interval that has the true value in 95 of 100 cases. That of
 * reads is of the delete-a-group jackknife (Wolter 2007) over REUSE_GROUPS groups of lines, by
 * Student's t: lines, and not their reads, are drawn by chance. That of distances is of the
 * binomial distribution: of d lines a sample has d / w on average, if one of it stands for w, so
 * that what it says of a cache of d ways may be true of one with 2 sqrt(d (w - 1)) ways more or
 * less.
 */
#ifndef REUSE_COUNTS_H
#define REUSE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Bins of sites: distances 0..7 by themselves, then 8..15, 16..31, ... 2^31 and more. */
enum { REUSE_BINS_EXACT = 8, REUSE_BINS = REUSE_BINS_EXACT + 29 };

struct reuse_bins {
	uint64_t cold;
	uint64_t taken;
	uint64_t bins[REUSE_BINS];
	uint64_t beyond; /* known to be none of these: at a distance of `limit` or more */
};

/* Distances of a sample: 32 bins for each power of two, which are points of a curve too; of each
 * group 4. */
enum {
	REUSE_STEP_BITS = 5,
	REUSE_FAR_BINS = 32 << REUSE_STEP_BITS,
	REUSE_GROUP_STEP_BITS = 2,
	REUSE_GROUP_BINS = 32 << REUSE_GROUP_STEP_BITS,
	REUSE_GROUPS = 8,
};

/* Reads that sampled ones stand for. */
struct reuse_far {
	uint64_t weight; /* the most that one stands for */
	uint64_t reads;  /* that were sampled */
	uint64_t cold, taken, all;
	uint64_t bins[REUSE_FAR_BINS];
	struct reuse_far_group {
		uint64_t cold, taken, all;
		uint64_t bins[REUSE_GROUP_BINS];
	} groups[REUSE_GROUPS];
};

struct reuse_counts {
	uint64_t cold;    /* known to be */
	uint64_t taken;   /* likewise */
	uint64_t unknown; /* what is left: cold, taken, or of distances from `limit` on */
	uint64_t *exact;  /* by distance; grows with the largest */
	size_t count;
	size_t capacity;
	uint64_t limit;        /* 0: all distances are known */
	struct reuse_far *far; /* of `unknown`; NULL: nothing was sampled */
};

/* Free what it owns; it is empty again, as a zeroed one is, with distances known below `limit`. */
void reuse_counts_release(struct reuse_counts *c);

/* Count a distance, REUSE_NEVER, REUSE_TAKEN or REUSE_BEYOND. Returns 0 or ERR_NOMEM. */
int reuse_counts_add(struct reuse_counts *c, uint32_t distance);
void reuse_bins_add(struct reuse_bins *b, uint32_t distance);

/* A read that was counted as REUSE_BEYOND was sampled: its line is of `group`, it stands for
 * `weight` reads and has this distance, or REUSE_NEVER or REUSE_TAKEN. Returns 0 or ERR_NOMEM. */
int reuse_counts_sample(struct reuse_counts *c, uint32_t distance, uint32_t group, uint64_t weight);

/* Add every count of *more to *sum. Returns 0 or ERR_NOMEM. */
int reuse_counts_sum(struct reuse_counts *sum, const struct reuse_counts *more, struct err *err);
void reuse_bins_sum(struct reuse_bins *sum, const struct reuse_bins *more);

/* Divide `count` reads, which add->beyond has so far, among the classes and bins as *weights are;
 * where these are all 0 they stay there. */
void reuse_bins_divide(struct reuse_bins *add, const struct reuse_bins *weights, uint64_t count);

/* The counts in bins; *full are those of the same reads in one set, which may be the same: cold and
 * taken reads are so whatever the sets. */
void reuse_counts_bins(const struct reuse_counts *c, const struct reuse_counts *full,
                       struct reuse_bins *out);

/* All reads, and those that are cold or taken: with unknown ones, if these were sampled. */
uint64_t reuse_counts_reads(const struct reuse_counts *c);
uint64_t reuse_counts_cold(const struct reuse_counts *c);
uint64_t reuse_counts_taken(const struct reuse_counts *c);

/* Those that miss with this many ways (lines, where fully associative); UINT64_MAX: not known. */
uint64_t reuse_counts_misses(const struct reuse_counts *c, uint64_t ways);

/* Whether that is an estimate, and its errors: as many reads more or less, of a cache with as many
 * ways more or less. 0: it is exact. */
bool reuse_counts_is_estimate(const struct reuse_counts *c, uint64_t ways);
double reuse_counts_error(const struct reuse_counts *c, uint64_t ways);
double reuse_counts_ways_error(const struct reuse_counts *c, uint64_t ways);

/* The error of cold and of taken reads, and of those of a bin. */
double reuse_counts_cold_error(const struct reuse_counts *c);
double reuse_counts_taken_error(const struct reuse_counts *c);
double reuse_counts_bin_error(const struct reuse_counts *c, uint32_t bin);

/* The least number of ways that more of would not miss less, 1 at least; an estimate if misses with
 * as many are. What is not known of larger numbers does not count. */
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
