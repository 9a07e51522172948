/*
 * lockstep - forms warps whose work-items all do the same, each at its own addresses. Such a warp
 * never diverges, so one outline (outline.h) gives the order of its instructions.
 *
 * Time is proportional to the stored records, not to their accesses: runs stay runs. Some
 * work-items may do nothing at all, or end before the others if no runs precede that; the others
 * continue without them. All other warps, and those whose events contradict the table or have sizes
 * known only at run time, are left to warp_former, which also reports what is wrong. The result is
 * that of warp_former.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "array.h"
#include "event.h"
#include "loop_path.h"
#include "warp_former.h"

struct err;
struct outline;

/* One of the instructions of a bundle: lane i of the warp is at first[i] in the first iteration,
 * and stride[i] further in each later one. */
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
 * What comes next, as enum lockstep_next, or ERR_NOMEM: one warp instruction in *step, as from
 * warp_former_next(); a bundle, which stands for `*length` >= 2 repetitions of all l->strands, one
 * after the other; or the end. Steps of a warp share step->lane, which is refilled when lanes have
 * ended; a barrier has no addresses.
 */
int lockstep_next(struct lockstep *l, struct warp_step *step, uint64_t *length, struct err *err);

#endif
