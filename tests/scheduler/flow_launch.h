/*
 * flow_launch - a launch of a flow_program, played on a GPU and watched: what must hold of every
 * launch under every order.
 *
 * The port takes down, per SM: that each work-item does its accesses in its own order, with the
 * addresses that it had; that nobody passes a barrier before all of the group have come to it or
 * ended; that the requests of an access have the bytes of its lanes, no more and no fewer; that the
 * SM's time does not go back; and how many groups are there at once. Fails the test when one does
 * not hold.
 */
#ifndef FLOW_LAUNCH_H
#define FLOW_LAUNCH_H

#include "flow_run.h"
#include "gpu.h"
#include "schedule.h"

enum { LAUNCH_GROUPS = 64, LAUNCH_SMS = 256, LAUNCH_BYTES = 1 << 15, LAUNCH_PHASES = 256 };

/* A work-group: what its work-items do, and how far they have come. */
struct launch_group {
	uint32_t item_count;
	uint64_t first[FLOW_ITEMS + 1]; /* as in group_events */
	struct event *events;
	uint64_t packed_first[FLOW_ITEMS + 1]; /* the same with runs and grids */
	struct event *packed;
	uint64_t at[FLOW_ITEMS];      /* the next event of each */
	uint32_t phase[FLOW_ITEMS];   /* barriers passed */
	uint64_t left[LAUNCH_PHASES]; /* accesses of the group's phases that have not been done */
	uint64_t reads_of_group;      /* how often the group was asked for */
	uint64_t begin, end;          /* cycles of the first and the last access */
	uint32_t sm;
	bool has_begun;
};

struct launch_sm {
	uint64_t now, hash;
	uint64_t requests, reads, lanes;
	uint64_t asked[LAUNCH_BYTES],
		got[LAUNCH_BYTES]; /* bytes of the last access; of its requests */
	uint32_t asked_count, got_count;
};

struct flow_launch {
	const struct flow_program *program;
	struct gpu gpu;
	struct schedule_input input; /* shape, table and groups are the launch's own */
	struct launch_shape shape;
	struct launch_group groups[LAUNCH_GROUPS];
	uint32_t group_count;
	uint64_t accesses; /* of all work-items */
	bool is_packed;    /* to be set: groups are read with runs and grids, */
	bool is_quiet;     /* and nobody is told of accesses: only sums are checked then */
	struct launch_sm sms[LAUNCH_SMS];
	struct schedule_result result;
};

/* Make a launch of a shape; false when it is too long or cannot be packed. Addresses follow from
 * the seed; the sites of the program get other sizes. */
bool flow_launch_make(struct flow_launch *l, struct flow_program *p,
                      const struct launch_shape *shape, uint64_t seed);
void flow_launch_release(struct flow_launch *l);

/* Play it, and check all that is said above; release the result. A number that tells one sequence
 * of requests from another. */
uint64_t flow_launch_play(struct flow_launch *l);

#endif
