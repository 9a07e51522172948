/*
 * item_events - the stored events of one work-item, in memory or not, and a cursor that reads them
 * a window at a time.
 *
 * They are either all in memory, which is then the only window, or in an item_store. No window ends
 * inside a record: inside a run or grid, or between a size and its access.
 */
#ifndef ITEM_EVENTS_H
#define ITEM_EVENTS_H

#include "event.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * item_store - the stored events of the work-items of one group in a temporary file, when there are
 * too many for memory.
 *
 * Filled part by part, like a launch file; after that any number of threads may read. Memory: four
 * bytes for each work-item and part.
 */

struct err;
struct item_store;

/* The position of a reader of a work-item's events; zeroed: at their beginning. */
struct item_place {
	size_t part;
	uint64_t at; /* in the part */
};

/* Create a store for groups of `items` work-items. Free with item_store_free(), which allows NULL.
 * Returns 0 or ERR_NOMEM. */
int item_store_create(struct item_store **out, uint32_t items, struct err *err);
void item_store_free(struct item_store *s);

/* Add a part: the next events of each work-item. Returns 0; ERR_IO when the file cannot be written;
 * ERR_LIMIT for more than 2^22 work-items of all parts together; ERR_NOMEM. */
int item_store_add(struct item_store *s, const struct group_events *part, struct err *err);

struct item_events {
	const struct event *events; /* `count` of them in memory, or NULL: in the store */
	uint64_t count;
	const struct item_store *store; /* borrowed, as the events are */
	uint32_t item;
};

/* Whether they are in memory without runs or grids, so that nothing has to be expanded. */
bool item_events_are_plain(const struct item_events *from);

struct item_cursor {
	struct item_events from;
	struct item_place place;    /* after the window; in memory `part` is 1 at the end */
	const struct event *window; /* borrowed until it is filled again */
	uint64_t count;
	struct event *buffer; /* owned */
};

/* Begin before the first window. *c must have been zeroed once. Allocates nothing. */
void item_cursor_start(struct item_cursor *c, const struct item_events *from);

/* Read the next window; its count is 0 at the end. Returns 0, ERR_IO, ERR_NOMEM; ERR_FORMAT for a
 * record that is cut off. */
int item_cursor_fill(struct item_cursor *c, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void item_cursor_release(struct item_cursor *c);

/*
 * group_items - a work-group that was read: its stored events in memory if there are few, else in a
 * temporary file.
 */

struct group_items {
	struct group_events events; /* of a long group only item_count */
	struct item_store *store;   /* of a long group, owned; else NULL */
};

/* Returns the stored events of a work-item; borrowed. */
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
