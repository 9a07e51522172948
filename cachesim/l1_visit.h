/*
 * l1_visit - a request that looks up an L1 that is not plain (for l1*.c only).
 */
#ifndef L1_VISIT_H
#define L1_VISIT_H

#include "l1_private.h"

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

/* The token of a message that fills nothing in L1, and whose answer *v waits for. */
uint64_t l1_visit_token(struct l1 *l1, const struct l1_visit *v);

/* When the data of *v arrives, which fills nothing in L1: a cycle or MEMORY_LATER. */
uint64_t l1_visit_past(struct l1 *l1, const struct l1_visit *v);

#endif
