/*
 * sm_caches - the L1s of a launch's SMs, their read-only caches, the levels below, and the port
 * through which the scheduler uses them (private to this room).
 *
 * With l2 = off each cache is independent. With l2 = on they send to one hierarchy: SMs run in
 * rounds, and each round is settled before the next (request.h).
 */
#ifndef SM_CACHES_H
#define SM_CACHES_H

#include "bypass_plan.h"
#include "counters.h"
#include "request.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * l1_reads - reads that come to an L1 many at a time (private to this room).
 *
 * What l1_request() would do with them one after another (request.h), sooner. For plain LRU caches
 * of few ways (l1_private.h), without sectors and with nothing below.
 */

struct counters;
struct l1;
struct read_run;
struct request;

/* Whether an L1 takes them. */
bool l1_has_reads(const struct l1 *l1);

/* If so: read run's lines, all else of them as in *r, and add them to *counters. */
void l1_reads(struct l1 *l1, const struct request *r, struct read_run *run,
              struct counters *counters);

struct err;
struct gpu;
struct hierarchy;
struct replay_options;
struct replay_result;
struct schedule_input;

/* For an SM that may get groups; otherwise all NULL. */
struct sm_cache {
	struct l1 *l1;
	struct counters *sites; /* requests are counted once, for their cache and site */
	bool is_told;           /* of all answers found by the last settling */
	uint64_t due;           /* the cycle of the first answer not delivered yet */
};

struct sm_caches {
	struct sm_cache *caches; /* L1 of each SM, then read-only caches, if any */
	uint32_t cache_count;
	uint32_t sm_count;
	size_t site_count;
	bool has_read_only;           /* there are read-only caches, */
	struct bypass_plan read_only; /* and these reads use them */
	struct bypass_plan bypass;    /* these bypass L1, unless they do */
	const struct replay_options *options;
	struct hierarchy *below; /* NULL: l2 = off */
	uint64_t until;          /* of the last settling */
};

/* Empty caches for a launch. Everything is borrowed. Returns 0, ERR_CONFIG or ERR_NOMEM; release
 * it in every case. */
int sm_caches_init(struct sm_caches *all, const struct gpu *gpu, const struct schedule_input *input,
                   const struct replay_options *options, struct err *err);

/* Accepts a zeroed struct. */
void sm_caches_release(struct sm_caches *all);

/* Its port; do not move *all. */
struct memory_port sm_caches_port(struct sm_caches *all, const struct gpu *gpu);

/* Once, after the launch has been replayed in this many cycles: empty the caches. */
void sm_caches_end(struct sm_caches *all, uint64_t cycles);

/* Copy the counts to *out. Returns 0 or ERR_NOMEM, also if memory ran out earlier. */
int sm_caches_count(const struct sm_caches *all, struct replay_result *out, struct err *err);

#endif
