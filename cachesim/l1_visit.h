/*
 * l1_visit - a request that looks up an L1 that is not plain (for l1*.c only).
 */
#ifndef L1_VISIT_H
#define L1_VISIT_H

#include "l1.h"
#include "l1_private.h"

/*
 * l1_bypass - reads that bypass an L1 (private to this room; SEMANTICS 5).
 *
 * Such a read takes its turn at the port. Its line is not looked up and L1 does not change: the
 * read is not a reference for classes, needs no MSHR entry and shares none. Each time it fetches
 * the sectors of min(32, line) bytes that it touches. Its data arrives l1_hit_cycles + l2_cycles
 * after the request, or when the level below answers. Dirty sectors of L1 that it touches, valid or
 * on their way, are written back first; they stay in L1, clean.
 */

struct l1_visit;

/* As l1_request(), for a bypassing read. */
uint64_t l1_read_past(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                      struct counters *counters);

/* A request while it is served. */
struct l1_visit {
	const struct request *r;
	struct l1_origin origin;
	uint64_t line; /* number */
	uint64_t asked_cycles;
	uint64_t cycle; /* of its current or last lookup */
	uint64_t stall_cycles;
	bool is_past;   /* a read that bypasses */
	bool is_failed; /* its lookup failed, and is counted as a reservation fail */
	uint32_t set;
	uint32_t slot;    /* or CACHE_ARRAY_NONE */
	uint64_t touched; /* sectors, as in sector_masks.h */
	uint64_t whole;
	/* The outcome. */
	enum l1_event event;
	uint64_t fetched; /* sectors; those not touched are promoted */
	struct l1_sector_counts sectors;
	uint64_t data; /* cycle, or MEMORY_LATER */
};

/* Serve it in v->cycle. Returns false, with nothing changed, if it must wait for an MSHR entry,
 * a place in one, or a way. All arrivals up to v->cycle must have been processed. */
bool l1_visit(struct l1 *l1, struct l1_visit *v);

#endif
