/* SPDX-License-Identifier: Apache-2.0 */
#include "item_events.h"

#include "array.h"
#include "err.h"
#include "packed_run.h"

#include <stdlib.h>

enum { WINDOW_EVENTS = 1024 };

bool item_events_are_plain(const struct item_events *from)
{
	uint32_t points = 0;

	for (uint64_t i = 0; !from->store && i < from->count; i++)
		points |= from->events[i].point;
	return !from->store &&
	       !(points & EVENT_RUN); /* the bit that runs and grids have and no others */
}

void item_cursor_start(struct item_cursor *c, const struct item_events *from)
{
	*c = (struct item_cursor){ .from = *from, .buffer = c->buffer };
}

void item_cursor_release(struct item_cursor *c)
{
	free(c->buffer);
	*c = (struct item_cursor){ 0 };
}

/* How many of the events that were read are whole records: all, but for one that begins among the
 * last and goes on beyond. */
static size_t whole_records(const struct event *events, size_t count)
{
	size_t from = count > PACKED_RUN_EVENTS_MAX ? count - PACKED_RUN_EVENTS_MAX : 0;

	for (size_t i = from; i < count; i++) {
		uint32_t kind = events[i].point & EVENT_KIND_MASK;
		size_t more = kind == EVENT_SIZE ? 1 : event_parts(events[i].point);

		if (i + more >= count)
			return i;
		i += kind == EVENT_SIZE ? 0 : more;
	}
	return count;
}

int item_cursor_fill(struct item_cursor *c, struct err *err)
{
	size_t got = 0, whole;
	int ret;

	if (!c->from.store) {
		c->window = c->from.events;
		c->count = c->place.part ? 0 : c->from.count;
		c->place.part = 1;
		return 0;
	}
	if (!c->buffer)
		c->buffer = array_alloc(WINDOW_EVENTS, sizeof(*c->buffer), "events", err);
	if (!c->buffer)
		return ERR_NOMEM;
	ret = item_store_read(c->from.store, c->from.item, &c->place, c->buffer, WINDOW_EVENTS,
	                      &got, err);
	whole = ret ? 0 : whole_records(c->buffer, got);
	c->place.at -= got - whole;
	c->window = c->buffer;
	c->count = whole;
	if (!ret && got && !whole)
		ret = err_set(err, ERR_FORMAT, "a run, a grid or a size goes on beyond its part");
	return ret;
}
