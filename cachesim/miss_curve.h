/*
 * miss_curve - the miss-ratio curves of a GPU's L1: how many reads would miss with more or fewer
 * lines, fully associative or with certain sets, each SM with a cache of its own.
 *
 * All are read off the reuse distances of one pass, in the order of requests that replay_launch()
 * makes with the GPU as it is. The caches are of whole lines replaced by LRU, whatever l1_policy
 * and l1_sector_bytes are, and take reads and writes as L1 does (l1.h); where writes allocate, they
 * bring in whole lines.
 *
 * Caches of up to a limit of lines, at least twice those of each L1 that is asked for, are exact
 * (reuse_window.h). Of larger ones the fully associative is estimated, where an SM uses more lines
 * than that, from a sample of them (miss_curve.c, reuse_counts.h), and those with sets are not
 * known. With is_exact all are exact and known.
 *
 * If the GPU's L1 is of that kind, and its lines are not locked on their way, nor taken out by L2,
 * its own misses are those of replay_launch(). With latency = off no cache changes the order, and
 * that is so for every cache of the curves.
 *
 * A use costs O(log of the distance) for each of the organisations. Memory does not grow with the
 * recording, but with is_exact: for each SM some 60 bytes for each line of the limit, and for all
 * together 4 MB for the sample.
 */
#ifndef MISS_CURVE_H
#define MISS_CURVE_H

#include "replay.h"
#include "reuse_counts.h"

struct err;
struct gpu;
struct miss_curve;

enum { MISS_CURVE_MAX = 8, MISS_CURVE_LINES = 1024, MISS_CURVE_SAMPLE = 1 << 16 };

struct miss_curve_setup {
	const struct gpu *gpu;  /* that is played */
	const struct gpu *sets; /* set_count of them, at most MISS_CURVE_MAX - 1, with its line:
	                           sets and index of the organisations from 1 on */
	size_t set_count;
	bool is_exact;
};

/*
 * One that is fully associative, number 0, and one for the sets and index of each of the `sets`.
 * Free with miss_curve_free(). Returns 0, ERR_CONFIG (sets and index do not go together),
 * ERR_NOMEM.
 */
int miss_curve_create(struct miss_curve **out, const struct miss_curve_setup *setup,
                      struct err *err);

/* Free. NULL is allowed. */
void miss_curve_free(struct miss_curve *c);

/* How many organisations there are. */
size_t miss_curve_count(const struct miss_curve *c);

/* Bins for each site of a launch of that many sites are kept from now on, until the next call; 0:
 * none. Returns 0 or ERR_NOMEM. */
int miss_curve_sites(struct miss_curve *c, size_t site_count, struct err *err);

/* Give it to replay_options.request, with the curve as the context. From several threads, but for
 * one SM from one at a time. */
void miss_curve_request(void *curve, uint32_t sm_id, const struct request *r, uint64_t now_cycles);

/*
 * A launch is over: the caches are empty again, and its reads are in miss_curve_counts(). Returns
 * 0 or ERR_NOMEM.
 */
int miss_curve_end(struct miss_curve *c, struct err *err);

/* The reads of all launches that ended, by organisation. Borrowed. */
const struct reuse_counts *miss_curve_counts(const struct miss_curve *c, size_t organisation);

/* The same of each site, of the launches that ended since miss_curve_sites(). What is estimated of
 * them is in their bins too; of those with sets, what lies beyond the limit is in `beyond`.
 * Borrowed. */
const struct reuse_bins *miss_curve_site_bins(const struct miss_curve *c, size_t organisation);

#endif
