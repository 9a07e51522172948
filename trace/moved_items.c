/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why the model foresees a work-item that is moved: of each site the first access is told by the
 * stride from item to item, the others by that within an item from the first one on, which moved
 * alike; and no stride changes where everything comes as foreseen.
 */
#include "moved_items.h"

#include "err.h"
#include "launch_model.h"
#include "varint.h"

#include <stdbool.h>
#include <string.h>

/* Events of a work-item for which this is worth it, and whose points fit here. */
#define LEAST_EVENTS 1
#define MOST_EVENTS  256
/* That are compared at once, at least; a few vectors. */
#define EVENTS_AT_ONCE 16

/* Whether a work-item's events are those of the one before, moved. */
static bool is_moved(const struct launch_model *m, const struct event *before,
                     const struct event *events, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (events[i].point != before[i].point ||
		    events[i].iteration != before[i].iteration ||
		    events[i].value - before[i].value !=
		            m->sites[events[i].point].track.item.stride)
			return false;
	return true;
}

bool moved_items_are_likely(const struct launch_model *m, const struct event *events,
                            uint64_t event_count)
{
	if (event_count < LEAST_EVENTS || event_count > MOST_EVENTS)
		return false;
	for (uint64_t i = 0; i < event_count; i++)
		if (events[i].point >= m->site_count ||
		    m->sites[events[i].point].guide != MODEL_GUIDE_OWN)
			return false;
	return true;
}

/*
 * The differences of an event from that of the work-item before, as two numbers: bytes of the
 * value, and 0 where point and iteration are the same. Those of some work-items in a row, so that a
 * vector takes several.
 */
struct moved_ways {
	uint64_t numbers[2 * (MOST_EVENTS + EVENTS_AT_ONCE)];
	uint32_t items; /* that they are for */
};

static void moved_ways_fill(struct moved_ways *w, const struct launch_model *m,
                            const struct event *events, uint64_t count)
{
	w->items = (uint32_t)((EVENTS_AT_ONCE + count - 1) / count);
	for (uint64_t i = 0; i < w->items * count; i++) {
		w->numbers[2 * i] = m->sites[events[i % count].point].track.item.stride;
		w->numbers[2 * i + 1] = 0;
	}
}

/* Whether the events of w->items work-items are those of the one before each, moved. */
static bool are_moved(const struct moved_ways *w, const struct event *events, uint64_t count)
{
	const unsigned char *now = (const unsigned char *)events;
	const unsigned char *before = (const unsigned char *)(events - count);
	uint64_t other = 0;

	for (uint64_t i = 0; i < 2 * w->items * count; i++) {
		uint64_t a, b;

		memcpy(&a, now + i * sizeof(a), sizeof(a));
		memcpy(&b, before + i * sizeof(b), sizeof(b));
		other |= (a - b) ^ w->numbers[i];
	}
	return !other;
}

/* Whether `items` work-items from `item` on have `count` events each. */
static bool are_even(const struct group_events *g, uint32_t item, uint32_t items, uint64_t count)
{
	uint64_t other = 0;

	if (items > g->item_count - item)
		return false;
	for (uint32_t i = item; i < item + items; i++)
		other |= (g->first[i + 1] - g->first[i]) ^ count;
	return !other;
}

uint32_t moved_items_count(const struct launch_model *m, const struct group_events *g,
                           uint32_t item)
{
	uint64_t count = g->first[item + 1] - g->first[item];
	const struct event *events = g->events + g->first[item];
	uint32_t next = item + 1;
	struct moved_ways ways;

	ways.items = 0; /* its numbers need no clearing */
	if (!moved_items_are_likely(m, events, count))
		return 0;
	for (events += count; are_even(g, next, 1, count); events += count, next++) {
		if (!is_moved(m, events - count, events, count))
			break;
		if (!ways.items)
			moved_ways_fill(&ways, m, events, count);
		for (; are_even(g, next + 1, ways.items, count) &&
		       are_moved(&ways, events + count, count);
		     next += ways.items)
			events += ways.items * count;
	}
	return next - item - 1;
}

/* Tell the model, as if one by one, of the last of `count` work-items that are `events` moved. */
static void advance(struct launch_model *m, const struct event *events, uint64_t event_count,
                    uint32_t count)
{
	uint32_t was = m->item;

	m->item += count;
	for (uint64_t i = 0; i < event_count; i++) {
		struct model_site *s = &m->sites[events[i].point];
		struct model_track *t = &s->track;
		uint64_t way = t->item.stride * count;

		if (t->seen == m->item)
			continue;
		t->item.last += way;
		t->item.step += count;
		t->next.last += way;
		t->seen = m->item;
		if (m->loops[s->loop].item == was)
			m->loops[s->loop].item = m->item;
	}
}

void moved_items_put(struct launch_model *m, struct event *events, uint64_t event_count,
                     uint32_t count)
{
	for (uint64_t i = 0; i < event_count; i++) {
		uint64_t stride = m->sites[events[i].point].track.item.stride;
		struct event e = events[i], *to = events + i;

		for (uint32_t k = 0; k < count; k++) {
			e.value += stride;
			to += event_count;
			*to = e;
		}
	}
	advance(m, events, event_count, count);
}

static unsigned char *room(struct column *c, uint64_t bytes, struct err *err)
{
	return column_reserve(c, bytes + COLUMN_SLACK_BYTES, err) ? NULL : c->bytes + c->used;
}

/* `count` times the same bytes. */
static int repeat(struct column *c, const unsigned char *bytes, size_t length, uint64_t count,
                  struct err *err)
{
	unsigned char *to = room(c, length * count, err);

	if (!to)
		return ERR_NOMEM;
	for (uint64_t i = 0; i < count; i++, to += length)
		memcpy(to, bytes, length);
	c->used += length * count;
	return 0;
}

static int zeros(struct column *c, uint64_t count, struct err *err)
{
	unsigned char *to = room(c, count, err);

	if (!to)
		return ERR_NOMEM;
	memset(to, 0, count);
	c->used += count;
	return 0;
}

int moved_items_add(struct column columns[COLUMN_COUNT], struct launch_model *m,
                    const struct group_events *g, uint32_t item, uint32_t count, struct err *err)
{
	const struct event *events = g->events + g->first[item];
	uint64_t event_count = g->first[item + 1] - g->first[item];
	unsigned char points[MOST_EVENTS * VARINT_BYTES_MAX32], *end = points;

	for (uint64_t i = 0; i < event_count; i++)
		end = varint_put(end, point_code(events[i].point));
	if (repeat(&columns[COLUMN_POINTS], points, (size_t)(end - points), count, err) ||
	    zeros(&columns[COLUMN_COUNTS], count, err) ||
	    zeros(&columns[COLUMN_ITERATIONS], count * event_count, err) ||
	    zeros(&columns[COLUMN_WIDTHS], count * event_count, err))
		return ERR_NOMEM;
	advance(m, events, event_count, count);
	return 0;
}
