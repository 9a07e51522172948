/* SPDX-License-Identifier: Apache-2.0 */
#include "held_groups.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

int held_groups_init(struct held_groups *h, struct err *err)
{
	h->events = array_alloc(HELD_EVENTS_MAX, sizeof(*h->events), "the first events", err);
	h->firsts = array_alloc(HELD_FIRSTS_MAX, sizeof(*h->firsts), "the first groups", err);
	held_groups_clear(h);
	return h->events && h->firsts ? 0 : ERR_NOMEM;
}

void held_groups_release(struct held_groups *h)
{
	free(h->events);
	free(h->firsts);
	h->events = NULL;
	h->firsts = NULL;
}

bool held_groups_add(struct held_groups *h, const struct group_events *g)
{
	size_t firsts = (size_t)g->item_count + 1;
	uint64_t events = g->first[g->item_count];
	uint64_t *first = h->firsts + h->first_count;
	struct event *copy = h->events + h->event_count;

	if (h->count == HELD_GROUPS_MAX || firsts > HELD_FIRSTS_MAX - h->first_count ||
	    events > HELD_EVENTS_MAX - h->event_count)
		return false;
	memcpy(first, g->first, firsts * sizeof(*first));
	if (events)
		memcpy(copy, g->events, events * sizeof(*copy));
	h->groups[h->count++] = (struct group_events){ g->item_count, first, copy };
	h->first_count += firsts;
	h->event_count += events;
	return true;
}

void held_groups_clear(struct held_groups *h)
{
	h->count = h->event_count = h->first_count = 0;
}
