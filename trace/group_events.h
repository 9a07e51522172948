/*
 * group_events - the events of one work-group, work-item by work-item.
 *
 * What goes into a recording and what comes out of it. Work-item i (linear
 * local id) did events[first[i]] .. events[first[i + 1] - 1], in its order.
 */
#ifndef GROUP_EVENTS_H
#define GROUP_EVENTS_H

#include "event.h"

struct group_events {
	uint32_t item_count;
	const uint64_t *first;      /* item_count + 1 entries, ascending, first[0] == 0 */
	const struct event *events; /* first[item_count] of them */
};

#endif
