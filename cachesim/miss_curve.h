/*
 * miss_curve - the miss-ratio curves of a GPU's L1: how many reads would miss with more or fewer
 * lines, fully associative or with certain sets, each SM with a cache of its own.
 *
 * All are read off the reuse distances of one pass (reuse_stack.h), in the order of requests that
 * replay_launch() makes with the GPU as it is. The caches are of whole lines replaced by LRU,
 * whatever l1_policy and l1_sector_bytes are, and take reads and writes as L1 does (l1.h); where
 * writes allocate, they bring in whole lines.
 *
 * If the GPU's L1 is of that kind, and its lines are not locked on their way, nor taken out by L2,
 * its own misses are those of replay_launch(). With latency = off no cache changes the order, and
 * that is so for every cache of the curves.
 *
 * A use costs O(log of the distance) for each of the organisations. Memory: for each SM some 20 to
 * 60 bytes for each line that it reads, for each organisation, and 8 for each distance up to the
 * largest; it does not grow with the number of requests.
 */
#ifndef MISS_CURVE_H
#define MISS_CURVE_H

#include "replay.h"
#include "reuse_counts.h"

struct err;
struct gpu;
struct miss_curve;

enum { MISS_CURVE_MAX = 8 };

/*
 * One that is fully associative, number 0, and one for the sets and index of each of the `count`
 * GPUs, at most MISS_CURVE_MAX - 1, numbers 1 to `count`; all have the line of *gpu. Free with
 * miss_curve_free(). Returns 0, ERR_CONFIG (sets and index do not go together), ERR_NOMEM.
 */
int miss_curve_create(struct miss_curve **out, const struct gpu *gpu, const struct gpu *sets,
                      size_t count, struct err *err);

/* Free. NULL is allowed. */
void miss_curve_free(struct miss_curve *c);

/* Bins for each site of a launch of so many sites are kept from now on, until the next call; 0:
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

/* The same of each site, of the launches that ended since miss_curve_sites(). Borrowed. */
const struct reuse_bins *miss_curve_site_bins(const struct miss_curve *c, size_t organisation);

#endif
