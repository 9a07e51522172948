/*
 * lockstep - forms warps whose work-items all execute the same sequence, each at its own addresses.
 * Such a warp never diverges, so one outline (outline.h) gives the order of its instructions.
 *
 * Time is proportional to the stored records, not to their accesses: runs stay runs. Some
 * work-items may have no events, or end before the others if no runs precede that; the others
 * continue without them. All other warps, and those whose events contradict the table or have sizes
 * known only at run time, are left to warp_former, which also reports errors. The result is that of
 * warp_former.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "array.h"
#include "event.h"
#include "loop_path.h"
#include "warp_former.h"

struct err;
struct outline;

/* An instruction of a bundle: lane i of the warp accesses first[i] in the first iteration, and
 * stride[i] bytes further in each later one. */
struct lockstep_strand {
	uint32_t site;
	const uint64_t *first;
	const uint64_t *stride;
};

struct lockstep {
	const struct kernel_table *table;
	struct outline *outline; /* owned */
	struct loop_level *path; /* owned: for the checks */
	struct array shape;      /* struct event: the longest stream of the last warp that fitted */
	struct array fixed;      /* struct event: mask of the bits in which all lanes must agree */
	const struct event *made; /* the outline of the shape */
	uint64_t made_count;
	uint64_t plain_count; /* its leading events that are those of the stream */
	uint64_t at;          /* the next event of the outline */
	uint64_t least;       /* fewest events of an active lane: up to there all are active */
	uint32_t lane_count;
	bool has_new_lanes;                               /* since the last step */
	uint16_t lane[LARGE_WARP_LANES_MAX];              /* active lanes, ascending */
	const struct event *events[LARGE_WARP_LANES_MAX]; /* of active lane i */
	uint64_t counts[LARGE_WARP_LANES_MAX];            /* number of these */
	struct array numbers;                             /* uint64_t: first[] and stride[] */
	struct array strands;                             /* struct lockstep_strand */
};

enum lockstep_next { LOCKSTEP_END, LOCKSTEP_STEP, LOCKSTEP_BUNDLE };

/* `table` is borrowed and has passed its check. Returns 0 or ERR_NOMEM; release in any case. */
int lockstep_init(struct lockstep *l, const struct kernel_table *table, struct err *err);
void lockstep_release(struct lockstep *l);

/*
 * Begin a warp of `lanes` (1..LARGE_WARP_LANES_MAX) work-items, if it can be formed here; *fits
 * becomes whether it can. The events, packed or plain, are borrowed until the warp's end. Returns 0
 * or ERR_NOMEM.
 */
int lockstep_start(struct lockstep *l, const struct group_events *events, uint32_t first_item,
                   uint32_t lanes, bool *fits, struct err *err);

/*
 * Form the next part of the warp. Returns ERR_NOMEM or an enum lockstep_next: one warp instruction
 * in *step, as from warp_former_next(); a bundle, which stands for *length >= 2 iterations of all
 * l->strands, one after the other; or the end. Steps of a warp share step->lane, which is refilled
 * when lanes have ended. A barrier has no addresses.
 */
int lockstep_next(struct lockstep *l, struct warp_step *step, uint64_t *length, struct err *err);

#endif
