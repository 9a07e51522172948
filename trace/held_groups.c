/* SPDX-License-Identifier: Apache-2.0 */
#include "held_groups.h"

#include <string.h>

void held_groups_init(struct held_groups *h)
{
	array_init(&h->groups, sizeof(struct group_events), HELD_GROUPS_MAX, "held groups");
	array_init(&h->firsts, sizeof(uint64_t), HELD_FIRSTS_MAX, "work-items of held groups");
	array_init(&h->events, sizeof(struct event), HELD_EVENTS_MAX, "events of held groups");
}

void held_groups_release(struct held_groups *h)
{
	array_release(&h->groups);
	array_release(&h->firsts);
	array_release(&h->events);
}

const struct group_events *held_groups_all(const struct held_groups *h)
{
	return h->groups.data;
}

/* Let the groups point into the arrays, which have moved. */
static void rebase(struct held_groups *h)
{
	struct group_events *g = h->groups.data;
	const uint64_t *first = h->firsts.data;
	const struct event *event = h->events.data;

	for (size_t i = 0; i < h->groups.count; i++) {
		g[i].first = first;
		g[i].events = event;
		first += (size_t)g[i].item_count + 1;
		event += g[i].first[g[i].item_count];
	}
}

bool held_groups_add(struct held_groups *h, const struct group_events *g)
{
	size_t firsts = (size_t)g->item_count + 1;
	uint64_t events = g->first[g->item_count];
	const void *old_firsts = h->firsts.data, *old_events = h->events.data;
	struct group_events *copy;
	struct event *event;
	uint64_t *first;

	if (events > HELD_EVENTS_MAX - h->events.count ||
	    firsts > HELD_FIRSTS_MAX - h->firsts.count || h->groups.count == HELD_GROUPS_MAX)
		return false;
	first = array_push(&h->firsts, firsts, NULL);
	event = first ? array_push(&h->events, (size_t)events, NULL) : NULL;
	copy = event || (first && !events) ? array_push(&h->groups, 1, NULL) : NULL;
	if (!copy) {
		/* As before the call, but that the arrays may lie elsewhere. */
		h->firsts.count -= first ? firsts : 0;
		h->events.count -= event ? (size_t)events : 0;
		rebase(h);
		return false;
	}
	memcpy(first, g->first, firsts * sizeof(*first));
	if (events)
		memcpy(event, g->events, events * sizeof(*event));
	*copy = (struct group_events){ g->item_count, first, event };
	if (old_firsts != h->firsts.data || old_events != h->events.data)
		rebase(h);
	return true;
}

void held_groups_clear(struct held_groups *h)
{
	array_clear(&h->groups);
	array_clear(&h->firsts);
	array_clear(&h->events);
}
