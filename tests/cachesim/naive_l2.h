/*
 * naive_l2 - what lies below the L1s, from the definitions of l2.h and hierarchy.h: a
 * list of lines, searched from end to end, bytes counted one by one (for tests).
 *
 * Replacement is lru or fifo.
 */
#ifndef NAIVE_L2_H
#define NAIVE_L2_H

#include "counters.h"
#include "gpu.h"
#include "outbox.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	NAIVE_LINES = 256,
	NAIVE_SECTORS = 64,
	NAIVE_LINE_BYTES = 512,
	NAIVE_SMS = 4,
	NAIVE_SITES = 4,
	NAIVE_SLICES = 8,
	NAIVE_CHANNELS = 8,
	NAIVE_INVALIDATIONS = 4096
};

struct naive_line {
	bool is_used;
	uint64_t line;
	uint64_t moved; /* when it came in or, with lru, was used last: a count of events */
	bool valid[NAIVE_SECTORS], dirty[NAIVE_SECTORS];
	bool is_written[NAIVE_LINE_BYTES]; /* l2_partial_write = mask: of sectors not valid */
	uint64_t changed;                  /* last: a count of changes */
	uint64_t ready[NAIVE_SECTORS];
	uint32_t writer;
	bool is_shared[NAIVE_SMS];
};

/* An L1 is to give up a line. */
struct naive_invalidation {
	uint64_t cycle;
	uint64_t line; /* address of the L1 line */
	uint32_t sm;
};

struct naive_l2 {
	const struct gpu *gpu;
	struct naive_line lines[NAIVE_LINES];
	uint64_t events, changes;
	struct l2_counters sites[NAIVE_SITES], slices[NAIVE_SLICES];
	struct dram_counters channels[NAIVE_CHANNELS];
	struct naive_invalidation invalidations[NAIVE_INVALIDATIONS];
	uint32_t invalidation_count;
};

/* The cycle in which what the message asks for is in L1; messages come in the order in which L2
 * sees them. `written`: of a write, which bytes of its L1 line; NULL: not known but for whole
 * sectors. */
uint64_t naive_l2_serve(struct naive_l2 *n, const struct message *m, const bool *written,
                        uint32_t sm);

/* Write back what is dirty. */
void naive_l2_finish(struct naive_l2 *n);

/* A line by its number; NULL: it is not there. */
struct naive_line *naive_l2_find(struct naive_l2 *n, uint64_t line);

#endif
