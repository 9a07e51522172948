/*
 * naive_l1 - an L1 with a naive L2 below it: lists searched from end to end (for tests). LRU over
 * reads, modulo, allocation at the miss, writes through without allocation, no limit of what is on
 * its way.
 */
#ifndef NAIVE_L1_H
#define NAIVE_L1_H

#include "counters.h"
#include "naive_l2.h"
#include "request.h"

enum { NAIVE_L1_LINES = 32 };

struct naive_l1 {
	struct naive_l2 *below;
	uint32_t sm;
	struct naive_l1_line {
		bool is_used;
		uint64_t line, last_read;
		uint32_t site;           /* that brought it in */
		bool has[NAIVE_SECTORS]; /* there, or on their way */
		uint64_t ready[NAIVE_SECTORS];
	} lines[NAIVE_L1_LINES];
	uint64_t reads;
	bool is_applied[NAIVE_INVALIDATIONS]; /* of below's */
};

/* The cycle of its data; 0 for a write. Adds to the counters that follow from the order of
 * requests: all but classes and lanes. */
uint64_t naive_l1_request(struct naive_l1 *n, const struct request *r, uint64_t cycle,
                          struct counters *c);

/* The same of a read that bypasses. */
uint64_t naive_l1_past(struct naive_l1 *n, const struct request *r, uint64_t cycle,
                       struct counters *c);

/* What L2 has told to give up is given up, whenever that is due. */
void naive_l1_end(struct naive_l1 *n);

/* A line without sectors is one. */
uint32_t naive_l1_sector_bytes(const struct gpu *gpu);

#endif
