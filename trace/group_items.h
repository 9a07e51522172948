/*
 * group_items - a work-group as it is read: its stored events in memory when they are few, else in
 * a temporary file.
 */
#ifndef GROUP_ITEMS_H
#define GROUP_ITEMS_H

#include "group_events.h"
#include "item_events.h"

struct group_items {
	struct group_events events; /* of a long group only item_count */
	struct item_store *store;   /* of a long group, owned; else NULL */
};

/* The stored events of a work-item; borrowed. */
static inline struct item_events group_items_at(const struct group_items *g, uint32_t item)
{
	if (g->store)
		return (struct item_events){ .store = g->store, .item = item };
	return (struct item_events){ .events = g->events.events + g->events.first[item],
		                     .count = g->events.first[item + 1] - g->events.first[item] };
}

/* Free what it owns. Accepts a zeroed struct. */
static inline void group_items_release(struct group_items *g)
{
	item_store_free(g->store);
	g->store = NULL;
}

#endif
