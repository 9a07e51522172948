/*
 * ancestor_events - the events of a work-group, from the lines of a 2014 trace.
 */
#ifndef ANCESTOR_EVENTS_H
#define ANCESTOR_EVENTS_H

#include "ancestor_kernel.h"
#include "event.h"

/* Makes groups one after the other; owns their memory. */
struct ancestor_events {
	const struct ancestor_trace *trace;
	const struct ancestor_kernel *kernel;
	struct array events; /* struct event */
	struct array first;  /* uint64_t */
};

/* Begin; trace and kernel are borrowed. Release with ancestor_events_release(). */
void ancestor_events_init(struct ancestor_events *e, const struct ancestor_trace *trace,
                          const struct ancestor_kernel *kernel);

/* Free what it owns. Accepts a zeroed struct. */
void ancestor_events_release(struct ancestor_events *e);

/*
 * The events of the group that entries *next.. belong to when their group is `group`; advances
 * *next past them. *out is borrowed until the next call. Returns 0; ERR_FORMAT "FILE:LINE: ..."
 * when a work-item goes back (to an earlier iteration, or an earlier instruction of the same);
 * ERR_LIMIT, ERR_NOMEM.
 */
int ancestor_events_group(struct ancestor_events *e, const struct ancestor_execution *x,
                          uint64_t group, size_t *next, struct group_events *out, struct err *err);

#endif
