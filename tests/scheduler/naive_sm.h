/*
 * naive_sm - an SM written from the definitions of sm.h and SEMANTICS 4, cycle by cycle: what the
 * scheduler must do, slowly.
 *
 * Its kernels have no loops: a place is a site. Nothing of scheduler/ is used but its data types.
 */
#ifndef NAIVE_SM_H
#define NAIVE_SM_H

#include "issue_order.h"
#include "launch_play.h"

enum {
	NAIVE_UNITS = 128, /* warps, large warps or work-items resident at once */
	NAIVE_SITES = 16,
	NAIVE_LANES = 32, /* of a group */
	NAIVE_LOG = 1 << 16,
};

/* What is issued at once: an access' lines in order, or a barrier. */
struct naive_instruction {
	uint32_t site, count;
	bool is_followed; /* by a sub-warp of the same access */
	uint64_t line[NAIVE_LANES];
	uint32_t lanes[NAIVE_LANES];
};

struct naive_launch {
	struct launch_play *play; /* shape, table, GPU, order and latency */
	uint32_t groups, items, slots;
	/* 0: the work-item does not come to the site; else the address it accesses, or 1 */
	uint64_t (*address)(uint64_t group, uint32_t item, uint32_t site);
	/* how long the port stays closed after an access, by its last request; NULL: never does */
	uint64_t (*closed)(const struct logged *last);

	struct logged log[NAIVE_LOG];
	uint32_t log_count;
	uint64_t cycles;
};

/* Lanes of what takes turns under the launch's order. */
uint32_t naive_lanes(const struct naive_launch *launch);

/*
 * The next instruction of unit `unit` of a group from site *site and sub-warp *part on, which are
 * moved beyond it; false when there is none.
 */
bool naive_next(const struct naive_launch *launch, uint64_t group, uint32_t unit, uint32_t place[2],
                struct naive_instruction *out);

/* Whether in_order lets a read of the site go on before other data is there. */
bool naive_is_independent(const struct naive_launch *launch, uint32_t site);

/* Write line number i of an instruction down in the log; the rest is to be filled in. */
struct logged *naive_log(struct naive_launch *launch, const struct naive_instruction *n,
                         uint32_t i);

/* Play the launch on one SM: fills log and cycles. */
void naive_play(struct naive_launch *launch);

#endif
