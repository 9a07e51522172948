/*
 * lockstep - warps whose work-items all do the same, at addresses of their own: no front ever
 * parts, so one outline (outline.h) has the order of the warp's instructions.
 *
 * Costs time in proportion to the stored records, not to the accesses that these stand for: runs
 * stay runs. A warp of which some work-items do nothing at all fits as well, and one in which some
 * end before the others, as long as there are no runs before that: from there on the others go on
 * without them. One that does not, or whose events contradict the table, or have sizes known only
 * at run time, is for warp_former, which also says what is wrong. Gives what warp_former would.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "array.h"
#include "group_events.h"
#include "loop_path.h"
#include "warp_former.h"

struct err;
struct outline;

/* One of the instructions that go on side by side over iterations: its lanes, as those of the warp,
 * are at first[i] in the first iteration, and stride[i] further in each of the following. */
struct lockstep_strand {
	uint32_t site;
	const uint64_t *first;
	const uint64_t *stride;
};

struct lockstep {
	const struct kernel_table *table;
	struct outline *outline;  /* owned */
	struct loop_level *path;  /* owned: for the checks */
	struct array shape;       /* struct event: the longest stream of those that fitted last */
	struct array fixed;       /* struct event: the bits of those in which all have to agree */
	const struct event *made; /* the outline of that, which begins with */
	uint64_t made_count;
	uint64_t plain_count; /* events that are the stream's own, in its order */
	uint64_t at;          /* the next of its events */
	uint64_t least;       /* events of an active lane: up to there all are active */
	uint32_t lane_count;
	bool has_new_lanes;                               /* since the last step */
	uint16_t lane[LARGE_WARP_LANES_MAX];              /* active lanes, ascending */
	const struct event *events[LARGE_WARP_LANES_MAX]; /* of active lane i */
	uint64_t counts[LARGE_WARP_LANES_MAX];            /* how many these are */
	struct array numbers;                             /* uint64_t: first[] and stride[] */
	struct array strands;                             /* struct lockstep_strand */
};

enum lockstep_next { LOCKSTEP_END, LOCKSTEP_STEP, LOCKSTEP_BUNDLE };

/* `table` is borrowed and has passed its check. Returns 0 or ERR_NOMEM; release in any case. */
int lockstep_init(struct lockstep *l, const struct kernel_table *table, struct err *err);
void lockstep_release(struct lockstep *l);

/*
 * Begin a warp of packed or plain events, which are borrowed until its end, if it fits: *fits.
 * `lanes` is 1..LARGE_WARP_LANES_MAX. Returns 0 or ERR_NOMEM.
 */
int lockstep_start(struct lockstep *l, const struct group_events *events, uint32_t first_item,
                   uint32_t lanes, bool *fits, struct err *err);

/*
 * What comes next: one warp instruction in *step, as from warp_former_next(); or a bundle, which
 * stands for `*length` >= 2 times all of l->strands, one after the other; or the end. Steps of the
 * same warp share step->lane, which is filled when lanes have ended; a barrier has no addresses.
 * Returns that or ERR_NOMEM.
 */
int lockstep_next(struct lockstep *l, struct warp_step *step, uint64_t *length, struct err *err);

#endif
