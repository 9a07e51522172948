/*
 * reuse_counts - counts reads by reuse distance: over all reads, and in bins per site.
 *
 * The distance of a read is the number of other lines (and empty ways, reuse_order.h) that were
 * used since the last read of its line, on its SM, in its set. Counted separately: cold reads, of
 * lines never read before on the SM in the launch; and taken ones, of lines that a write or an
 * atomic removed since.
 *
 * Distances below `limit` are counted exactly, and so is the number of the remaining reads, which
 * miss in a cache of `limit` ways. Their split into cold, taken and greater distances is known
 * exactly, or estimated from a sample (miss_curve.c), or, within a set, unknown.
 *
 * An estimate is a ratio of sampled reads, each with the weight of its line. It has two errors,
 * both half of a 95% confidence interval. The error in reads comes from the delete-a-group
 * jackknife (Wolter 2007) over REUSE_GROUPS groups of lines, with Student's t: lines, not their
 * reads, are sampled at random. The error in distances comes from the binomial distribution: of d
 * lines a sample has d / w on average, if each of its lines stands for w. So the result for a cache
 * of d ways may hold for one with 2 sqrt(d (w - 1)) ways more or less.
 */
#ifndef REUSE_COUNTS_H
#define REUSE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Bins of sites: distances 0..7 each alone, then 8..15, 16..31, ... 2^31 and more. */
enum { REUSE_BINS_EXACT = 8, REUSE_BINS = REUSE_BINS_EXACT + 29 };

struct reuse_bins {
	uint64_t cold;
	uint64_t taken;
	uint64_t bins[REUSE_BINS];
	uint64_t beyond; /* known to be neither: at a distance of `limit` or more */
};

/* Distances of a sample: 32 bins for each power of two, which are also points of a curve; 4 per
 * group. */
enum {
	REUSE_STEP_BITS = 5,
	REUSE_FAR_BINS = 32 << REUSE_STEP_BITS,
	REUSE_GROUP_STEP_BITS = 2,
	REUSE_GROUP_BINS = 32 << REUSE_GROUP_STEP_BITS,
	REUSE_GROUPS = 8,
};

/* The reads that sampled ones stand for. */
struct reuse_far {
	uint64_t weight; /* the greatest weight */
	uint64_t reads;  /* that were sampled */
	uint64_t cold, taken, all;
	uint64_t bins[REUSE_FAR_BINS];
	struct reuse_far_group {
		uint64_t cold, taken, all;
		uint64_t bins[REUSE_GROUP_BINS];
	} groups[REUSE_GROUPS];
};

struct reuse_counts {
	uint64_t cold;    /* known to be cold */
	uint64_t taken;   /* known to be taken */
	uint64_t unknown; /* the rest: cold, taken, or at distances from `limit` on */
	uint64_t *exact;  /* by distance; grows with the largest */
	size_t count;
	size_t capacity;
	uint64_t limit;        /* 0: all distances are known */
	struct reuse_far *far; /* for `unknown`; NULL: nothing was sampled */
};

/* Free what it owns; it is empty again, as a zeroed one is, with distances known below `limit`. */
void reuse_counts_release(struct reuse_counts *c);

/* Count a distance, REUSE_NEVER, REUSE_TAKEN or REUSE_BEYOND. Returns 0 or ERR_NOMEM. */
int reuse_counts_add(struct reuse_counts *c, uint32_t distance);
void reuse_bins_add(struct reuse_bins *b, uint32_t distance);

/* Add a sampled read that was counted as REUSE_BEYOND: its line is in `group`, it stands for
 * `weight` reads and has this distance, or REUSE_NEVER or REUSE_TAKEN. Returns 0 or ERR_NOMEM. */
int reuse_counts_sample(struct reuse_counts *c, uint32_t distance, uint32_t group, uint64_t weight);

/* Add every count of *more to *sum. Returns 0 or ERR_NOMEM. */
int reuse_counts_sum(struct reuse_counts *sum, const struct reuse_counts *more, struct err *err);
void reuse_bins_sum(struct reuse_bins *sum, const struct reuse_bins *more);

/* Distribute `count` reads of add->beyond over the classes and bins in proportion to *weights;
 * if these are all 0 the reads stay there. */
void reuse_bins_divide(struct reuse_bins *add, const struct reuse_bins *weights, uint64_t count);

/* The counts in bins; *full has the counts of the same reads in one set, and may be the same
 * struct: cold and taken reads do not depend on the sets. */
void reuse_counts_bins(const struct reuse_counts *c, const struct reuse_counts *full,
                       struct reuse_bins *out);

/* All reads, and the cold or taken ones, including unknown ones if these were sampled. */
uint64_t reuse_counts_reads(const struct reuse_counts *c);
uint64_t reuse_counts_cold(const struct reuse_counts *c);
uint64_t reuse_counts_taken(const struct reuse_counts *c);

/* The reads that miss with this many ways (lines, if fully associative); UINT64_MAX: unknown. */
uint64_t reuse_counts_misses(const struct reuse_counts *c, uint64_t ways);

/* Whether that is an estimate, and its errors: this many reads more or less, for a cache with
 * this many ways more or less. 0: it is exact. */
bool reuse_counts_is_estimate(const struct reuse_counts *c, uint64_t ways);
double reuse_counts_error(const struct reuse_counts *c, uint64_t ways);
double reuse_counts_ways_error(const struct reuse_counts *c, uint64_t ways);

/* The errors of cold and taken reads, and of the reads of a bin. */
double reuse_counts_cold_error(const struct reuse_counts *c);
double reuse_counts_taken_error(const struct reuse_counts *c);
double reuse_counts_bin_error(const struct reuse_counts *c, uint32_t bin);

/* The least number of ways beyond which misses do not fall, at least 1; an estimate if the
 * misses with that many are. Unknown larger numbers do not count. */
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
