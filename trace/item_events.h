/*
 * item_events - the stored events of one work-item, wherever they are, and a cursor that goes
 * through them a window at a time.
 *
 * They are in memory as a whole, which is then the only window, or in an item_store. No window ends
 * inside a record, that is inside a run or grid, or between a size and its access.
 */
#ifndef ITEM_EVENTS_H
#define ITEM_EVENTS_H

#include "group_events.h"
#include "item_store.h"

#include <stdbool.h>

struct item_events {
	const struct event *events; /* `count` of them in memory, or NULL: in the store */
	uint64_t count;
	const struct item_store *store; /* borrowed, as the events are */
	uint32_t item;
};

/* Whether they are in memory, without runs or grids: nothing is to be expanded. */
bool item_events_are_plain(const struct item_events *from);

struct item_cursor {
	struct item_events from;
	struct item_place place; /* of what follows the window; in memory `part` is 1 at the end */
	const struct event *window; /* borrowed until it is filled again */
	uint64_t count;
	struct event *buffer; /* owned */
};

/* Begin, before the first window. *c was zeroed once, or used before. No allocation. */
void item_cursor_start(struct item_cursor *c, const struct item_events *from);

/* Have the next window; its count is 0 at the end. Returns 0, ERR_IO, ERR_NOMEM; ERR_FORMAT for a
 * record that is cut off. */
int item_cursor_fill(struct item_cursor *c, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void item_cursor_release(struct item_cursor *c);

#endif
