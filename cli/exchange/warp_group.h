/*
 * warp_group - the events of a work-group, from the warp instructions of an imported trace.
 *
 * The kernel of such a trace is one loop around all of its sites, and the iteration counts the
 * instructions of a warp: so replay issues each of them by itself, with the lanes that it had and
 * in the warp's order, whatever the code was.
 */
#ifndef WARP_GROUP_H
#define WARP_GROUP_H

#include "array.h"
#include "event.h"
#include "warp_trace.h"

/* Makes groups one after the other; owns their memory. */
struct warp_group {
	struct warp_trace *trace;
	bool has_slots; /* numbers of warps are those of the SM's slots, not of the group */
	uint32_t launch;
	uint32_t items;         /* of a group */
	struct array kept;      /* struct warp_kept: the instructions */
	struct array addresses; /* uint64_t: of their lanes */
	struct array events, first;
};

/* Begin; `trace` is borrowed, sorted and numbered. Release with warp_group_release(). */
void warp_group_init(struct warp_group *g, struct warp_trace *trace, bool has_slots);

/* Free what it owns. Accepts a zeroed struct. */
void warp_group_release(struct warp_group *g);

/*
 * Take the next group of launch `launch` from the trace: 1 with its number and events, borrowed
 * until the next call; 0 when the launch has no more. ERR_FORMAT: instructions of more warps than a
 * group has. ERR_LIMIT: more than 2^28 events. ERR_IO, ERR_NOMEM.
 */
int warp_group_next(struct warp_group *g, uint32_t launch, uint64_t *group,
                    struct group_events *out, struct err *err);

#endif
