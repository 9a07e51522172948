/*
 * miss_curve - the miss-ratio curves of a GPU's L1: how many reads would miss with more or fewer
 * lines, fully associative or with given sets, with one cache per SM.
 *
 * All follow from the reuse distances of one pass, in the order of requests that replay_launch()
 * makes with this GPU. The caches have whole lines replaced by LRU, whatever l1_policy and
 * l1_sector_bytes are, and handle reads and writes as L1 does (l1.h); where writes allocate, they
 * bring in whole lines.
 *
 * Caches of up to a limit of lines, at least twice those of each requested L1, are exact
 * (reuse_window.h). For larger ones, if an SM uses more lines than that, the fully associative
 * cache is estimated from a sample of lines (miss_curve.c, reuse_counts.h), and caches with sets
 * are unknown. With is_exact all are exact and known.
 *
 * If the GPU's L1 is of that kind, and its lines are neither locked on their way nor removed by L2,
 * its own misses equal those of replay_launch(). With latency = off no cache changes the order, and
 * this holds for every cache of the curves.
 *
 * A use costs O(log of the distance) for each organisation. Memory does not grow with the
 * recording, except with is_exact: for each SM about 60 bytes per line of the limit, and 4 MB for
 * the sample over all SMs.
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
	const struct gpu *gpu;  /* the replayed GPU */
	const struct gpu *sets; /* set_count of them, at most MISS_CURVE_MAX - 1, with its line:
	                           sets and index of organisations 1, 2, ... */
	size_t set_count;
	bool is_exact;
};

/*
 * Organisation 0 is fully associative; then one for the sets and index of each of the `sets`. Free
 * with miss_curve_free(). Returns 0, ERR_CONFIG (sets and index do not go together), or ERR_NOMEM.
 */
int miss_curve_create(struct miss_curve **out, const struct miss_curve_setup *setup,
                      struct err *err);

/* Free. NULL is allowed. */
void miss_curve_free(struct miss_curve *c);

/* The number of organisations. */
size_t miss_curve_count(const struct miss_curve *c);

/* Keep bins for each site of a launch of this many sites from now on, until the next call; 0:
 * none. Returns 0 or ERR_NOMEM. */
int miss_curve_sites(struct miss_curve *c, size_t site_count, struct err *err);

/* Pass it as replay_options.request, with the curve as the context. From several threads, but
 * for one SM from one at a time. */
void miss_curve_request(void *curve, uint32_t sm_id, const struct request *r, uint64_t now_cycles);

/*
 * End a launch: empty the caches, and add its reads to miss_curve_counts(). Returns 0 or ERR_NOMEM.
 */
int miss_curve_end(struct miss_curve *c, struct err *err);

/* The reads of all launches that ended, by organisation. Borrowed. */
const struct reuse_counts *miss_curve_counts(const struct miss_curve *c, size_t organisation);

/* The reads per site, for the launches that ended since miss_curve_sites(). Their bins include
 * estimates; with sets, reads beyond the limit are in `beyond`. Borrowed. */
const struct reuse_bins *miss_curve_site_bins(const struct miss_curve *c, size_t organisation);

#endif
