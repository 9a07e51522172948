/*
 * import_warps - a recording from a trace of warp instructions (warp_trace.h).
 *
 * Its kernels are one loop around all of their sites, and the iteration counts the instructions of
 * a warp: so replay issues each of them alone, with the lanes that it had and in the warp's order,
 * whatever the code was.
 */
#ifndef IMPORT_WARPS_H
#define IMPORT_WARPS_H

#include "warp_trace.h"

#include <stdbool.h>

/* What is known of all traces of one format. */
struct import_warps_source {
	char *platform;        /* where it is from, and what it lacks */
	bool has_slots;        /* numbers of warps are those of the SM's slots, not of the group */
	bool names_all_groups; /* a group that it does not name was not traced */
};

/* Make the recording `dir` of all that was added to `trace`. Returns 0, ERR_FORMAT, ERR_LIMIT, or
 * as import_recording_make(). */
int import_warps(struct warp_trace *trace, const struct import_warps_source *source,
                 const char *dir, struct err *err);

#endif
