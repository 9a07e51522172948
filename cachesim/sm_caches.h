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
 * l1_reads - serves many reads of an L1 in one call (private to this room).
 *
 * The result is that of l1_request() for one read after another (request.h), but faster. For plain
 * LRU caches of few ways (l1_private.h), without sectors and with nothing below.
 */

struct counters;
struct l1;
struct read_run;
struct request;

/* Returns whether l1_reads() can serve this L1. */
bool l1_has_reads(const struct l1 *l1);

/* If so: read the lines of *run, each as in *r except for its line, and add them to *counters. */
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
	bool is_settled;        /* all answers found by the last settling were delivered */
	uint64_t due;           /* the cycle of the first answer not delivered yet */
};

struct sm_caches {
	struct sm_cache *caches; /* L1 of each SM, then read-only caches, if any */
	uint32_t cache_count;
	uint32_t sm_count;
	size_t site_count;
	bool has_read_only;           /* there are read-only caches */
	struct bypass_plan read_only; /* reads that use the read-only caches */
	struct bypass_plan bypass;    /* reads that bypass L1, unless they use those */
	const struct replay_options *options;
	struct hierarchy *below; /* NULL: l2 = off */
	uint64_t until;          /* of the last settling */
};

/* Create empty caches for a launch. Everything is borrowed. Returns 0, ERR_CONFIG or ERR_NOMEM;
 * release it in every case. */
int sm_caches_init(struct sm_caches *all, const struct gpu *gpu, const struct schedule_input *input,
                   const struct replay_options *options, struct err *err);

/* Accepts a zeroed struct. */
void sm_caches_release(struct sm_caches *all);

/* Returns the port of the caches; *all must not move afterwards. */
struct memory_port sm_caches_port(struct sm_caches *all, const struct gpu *gpu);

/* Once, after the launch has been replayed in this many cycles: empty the caches. */
void sm_caches_end(struct sm_caches *all, uint64_t cycles);

/* Copy the counts to *out. Returns 0 or ERR_NOMEM, also if memory ran out earlier. */
int sm_caches_count(const struct sm_caches *all, struct replay_result *out, struct err *err);

#endif
