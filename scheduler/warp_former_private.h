/*
 * warp_former_private - the inside of warp formation: fronts, and the reading of their events.
 *
 * warp_former.c keeps the fronts in order; front_reader.c reads the events of a
 * front's lanes, as long as these agree, up to the place where they stand next.
 */
#ifndef WARP_FORMER_PRIVATE_H
#define WARP_FORMER_PRIVATE_H

#include "loop_path.h"
#include "warp_former.h"

#define SIZE_NONE UINT64_MAX

/* Lanes that stand at the same place. A front's number is that of one of its lanes, so that
 * numbers, and the loop paths that go with them, are unique and need no allocation. */
struct front {
	uint32_t site;
	uint32_t lane_count;
	uint16_t *lane; /* ascending; room for all lanes of a warp */
};

struct warp_former {
	const struct kernel_table *table;
	uint32_t first_item;
	bool keeps_path;
	struct loop_level *step_path; /* of the last step, when keeps_path */
	uint32_t lanes_max;           /* of the warps so far: there is room for as many */
	uint32_t levels;              /* of a loop path */
	struct loop_level *paths;     /* levels for each front */
	uint16_t *front_lanes;        /* lanes_max for each front */
	const struct event *next[LARGE_WARP_LANES_MAX];
	const struct event *end[LARGE_WARP_LANES_MAX];
	const struct event *begin[LARGE_WARP_LANES_MAX];  /* of the events up to `end`, and */
	uint64_t before[LARGE_WARP_LANES_MAX];            /* how many came before them */
	bool goes_on[LARGE_WARP_LANES_MAX];               /* the lane's expander may have more */
	struct expander *expanders[LARGE_WARP_LANES_MAX]; /* owned; NULL until they are needed */
	uint64_t size[LARGE_WARP_LANES_MAX];  /* of the access that follows, or SIZE_NONE */
	uint32_t order_count;                 /* fronts on the stack */
	uint32_t barrier_count;               /* of which at a barrier */
	uint16_t order[LARGE_WARP_LANES_MAX]; /* the least last */
	uint16_t todo[LARGE_WARP_LANES_MAX];  /* fronts that settle() has yet to look at */
	struct front fronts[LARGE_WARP_LANES_MAX];
};

/* What became of a front that was read on. */
enum outcome {
	AT_SITE, /* its lanes stand at fronts[].site, with the event of the site next */
	ENDED,   /* its lanes have no more events */
	APART,   /* its lanes' next events differ, or some have ended */
};

/* The loops that a front is in. */
static inline struct loop_level *path_of(const struct warp_former *f, uint32_t front)
{
	return f->paths + (size_t)front * f->levels;
}

/* Have the events that follow those of a lane that are used up. */
int lane_refill(struct warp_former *f, uint32_t lane, struct err *err);

/* Let a lane go on by an event. */
static inline int lane_advance(struct warp_former *f, uint32_t lane, struct err *err)
{
	return ++f->next[lane] == f->end[lane] && f->goes_on[lane] ? lane_refill(f, lane, err) : 0;
}

/* Let each lane go on by an event. */
static inline int front_advance(struct warp_former *f, const struct front *fr, struct err *err)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < fr->lane_count; i++)
		rc = lane_advance(f, fr->lane[i], err);
	return rc;
}

/*
 * Read the events that come before the next place of front `number`, which is not on the stack:
 * loops, epochs and sizes. Returns 0, ERR_FORMAT or ERR_LIMIT.
 */
int front_read_on(struct warp_former *f, uint32_t number, enum outcome *outcome, struct err *err);

#endif
