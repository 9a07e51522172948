/*
 * sweep_sm - all caches of a sweep, for one SM (private to this room).
 *
 * Collects requests and replays them in batches through the chains.
 */
#ifndef SWEEP_SM_H
#define SWEEP_SM_H

#include "counters.h"
#include "line_history.h"
#include "request.h"
#include "sweep_chain.h"

struct sweep_plan;

enum { SWEEP_BATCH = 4096 };

struct sweep_sm {
	const struct sweep_plan *plan; /* borrowed */
	struct sweep_chain *chains;    /* plan->chain_count, or NULL before the first request */
	uint64_t *lines;               /* of the current batch */
	enum site_kind *kinds;
	size_t count;
	uint64_t line_or;
	bool has_others;             /* than reads */
	struct line_history history; /* of this launch */
	struct counters same;        /* counts that are the same for every cache */
	int failed;                  /* 0, or ERR_NOMEM: the counts are invalid */
};

/* Prepare *sm; no allocation before its first request. */
void sweep_sm_init(struct sweep_sm *sm, const struct sweep_plan *plan);
void sweep_sm_release(struct sweep_sm *sm);

/* Add a request. */
void sweep_sm_request(struct sweep_sm *sm, const struct request *r);

/* End the launch: replay the remaining requests and empty the caches. Returns 0 or an error. */
int sweep_sm_end(struct sweep_sm *sm, struct err *err);

/* Add the counts of the cache of a level of a chain, with `ways` ways, over all launches. */
void sweep_sm_count(const struct sweep_sm *sm, size_t chain, size_t level, uint32_t ways,
                    struct counters *sum);

#endif
