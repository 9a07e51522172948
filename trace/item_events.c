/* SPDX-License-Identifier: Apache-2.0 */
#include "item_events.h"

#include "array.h"
#include "err.h"
#include "packed_run.h"
#include "spill_file.h"

#include <inttypes.h>
#include <stdlib.h>

/* The most places of work-items in parts, and the most parts. */
static const size_t ENTRIES_MAX = (size_t)1 << 22, PARTS_MAX = (size_t)1 << 20;

struct stored_part {
	struct spill_place place;
	size_t first; /* of its work-items, in item_store.first */
};

struct item_store {
	uint32_t items;
	struct array parts; /* struct stored_part */
	struct array first; /* uint32_t, items + 1 for each part */
	struct spill_file *file;
};

int item_store_create(struct item_store **out, uint32_t items, struct err *err)
{
	struct item_store *s = array_alloc(1, sizeof(*s), "a long group", err);

	if (!s)
		return ERR_NOMEM;
	s->items = items;
	array_init(&s->parts, sizeof(struct stored_part), PARTS_MAX, "parts of a group");
	array_init(&s->first, sizeof(uint32_t), ENTRIES_MAX + PARTS_MAX,
	           "work-items of the parts of a group");
	s->file = array_alloc(1, sizeof(*s->file), "a temporary file", err);
	if (!s->file) {
		item_store_free(s);
		return ERR_NOMEM;
	}
	spill_file_init(s->file);
	*out = s;
	return 0;
}

void item_store_free(struct item_store *s)
{
	if (!s)
		return;
	if (s->file)
		spill_file_release(s->file);
	free(s->file);
	array_release(&s->parts);
	array_release(&s->first);
	free(s);
}

int item_store_add(struct item_store *s, const struct group_events *part, struct err *err)
{
	uint64_t count = part->first[part->item_count];
	struct stored_part *added;
	uint32_t *first;

	if (s->first.count + s->items > ENTRIES_MAX + s->parts.count)
		return err_set(err, ERR_LIMIT,
		               "a group of %" PRIu32 " work-items in more than %zu parts", s->items,
		               s->parts.count);
	added = array_push(&s->parts, 1, err);
	first = added ? array_push(&s->first, s->items + (size_t)1, err) : NULL;
	if (!first)
		return ERR_NOMEM;
	*added = (struct stored_part){ .first = s->first.count - s->items - 1 };
	for (uint32_t i = 0; i <= s->items; i++)
		first[i] = (uint32_t)part->first[i];
	if (count && !spill_file_write(s->file, &added->place, count * sizeof(*part->events), 0,
	                               part->events, count * sizeof(*part->events)))
		return err_set(err, ERR_IO,
		               "%" PRIu64 " events of a long group cannot be written to a "
		               "temporary file; TMPDIR says where",
		               count);
	return 0;
}

/* Copy the next events of a work-item, at most `most` and of one part, to `to`, and move *place
 * past them; *got is 0 at the end. Returns 0 or ERR_IO. */
static int item_store_read(const struct item_store *s, uint32_t item, struct item_place *place,
                           struct event *to, size_t most, size_t *got, struct err *err)
{
	const struct stored_part *parts = s->parts.data;
	const uint32_t *all = s->first.data;

	*got = 0;
	for (; place->part < s->parts.count; place->part++, place->at = 0) {
		const struct stored_part *p = &parts[place->part];
		const uint32_t *first = all + p->first + item;
		uint64_t left = first[1] - first[0] - place->at;

		if (!left)
			continue;
		*got = left < most ? (size_t)left : most;
		if (!spill_file_read(s->file, &p->place, (first[0] + place->at) * sizeof(*to), to,
		                     *got * sizeof(*to)))
			return spill_file_check(s->file, err);
		place->at += *got;
		return 0;
	}
	return 0;
}

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

/* Returns how many of the events read are whole records: all, except a record that begins among the
 * last and is not complete. */
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
