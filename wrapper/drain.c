/* SPDX-License-Identifier: Apache-2.0 */
#include "drain.h"

#include "array.h"
#include "err.h"
#include "probe_abi.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

int drain_init(struct drain *d, const struct launch_shape *shape, struct err *err)
{
	uint32_t size[3];

	*d = (struct drain){ .shape = shape };
	d->group_items = launch_shape_group_size(shape, 0, size);
	d->first = array_alloc((size_t)d->group_items + 1, sizeof(*d->first), "group", err);
	return d->first ? 0 : ERR_NOMEM;
}

void drain_release(struct drain *d)
{
	free(d->heads);
	free(d->links);
	free(d->first);
	free(d->events);
	memset(d, 0, sizeof(*d));
}

static const struct probe_chunk *chunk_at(const struct drain *d, uint32_t i)
{
	return (const struct probe_chunk *)(const void *)(d->chunks + i * d->chunk_bytes);
}

/* Make *items hold `count` numbers, whatever they are. */
static int reserve(uint32_t **items, size_t *allocated, uint64_t count, struct err *err)
{
	uint32_t *bigger;

	if (count <= *allocated)
		return 0;
	bigger = array_alloc(count, sizeof(**items), "chunks of a slice", err);
	if (!bigger)
		return ERR_NOMEM;
	free(*items);
	*items = bigger;
	*allocated = count;
	return 0;
}

/* Whether a chunk can be one of this slice. */
static bool is_sound(const struct drain *d, const struct probe_chunk *c, uint32_t chunk_events)
{
	uint32_t size[3];

	return c->group >= d->begin && c->group < d->end && c->order <= chunk_events &&
	       c->item < d->group_items &&
	       c->item < launch_shape_group_size(d->shape, c->group, size);
}

int drain_slice(struct drain *d, const struct slice *slice, const void *chunks, uint32_t used,
                struct err *err)
{
	uint64_t slots = (slice->end - slice->begin) * d->group_items;

	d->begin = slice->begin;
	d->end = slice->end;
	d->chunks = chunks;
	d->chunk_bytes = sizeof(struct probe_chunk) + slice->chunk_events * sizeof(struct event);
	d->event_count = 0;
	if (reserve(&d->heads, &d->slot_count, slots, err) < 0 ||
	    reserve(&d->links, &d->link_count, used, err) < 0)
		return ERR_NOMEM;
	memset(d->heads, 0xff, slots * sizeof(*d->heads));
	/* Backwards, so that each list comes out in the order in which its chunks were asked for.
	 */
	for (uint32_t i = used; i-- > 0;) {
		const struct probe_chunk *c = chunk_at(d, i);
		uint64_t slot;

		if (!is_sound(d, c, slice->chunk_events)) {
			d->damaged_count++;
			continue;
		}
		slot = (c->group - d->begin) * d->group_items + c->item;
		d->links[i] = d->heads[slot];
		d->heads[slot] = i;
		d->event_count += c->order;
	}
	return 0;
}

/* Fill first[] for a group; returns its number of events. */
static uint64_t count_events(struct drain *d, const uint32_t *heads, uint32_t items)
{
	uint64_t count = 0;

	for (uint32_t item = 0; item < items; item++) {
		d->first[item] = count;
		for (uint32_t i = heads[item]; i != NONE; i = d->links[i])
			count += chunk_at(d, i)->order;
	}
	d->first[items] = count;
	return count;
}

static int reserve_events(struct drain *d, uint64_t count, struct err *err)
{
	struct event *bigger;

	if (d->events && count <= d->event_capacity)
		return 0;
	bigger = array_alloc(count + count / 2, sizeof(*bigger), "events of a group", err);
	if (!bigger)
		return ERR_NOMEM;
	free(d->events);
	d->events = bigger;
	d->event_capacity = count + count / 2;
	return 0;
}

int drain_group(struct drain *d, uint64_t g, struct group_events *out, struct err *err)
{
	const uint32_t *heads = d->heads + (g - d->begin) * d->group_items;
	uint32_t size[3], items = launch_shape_group_size(d->shape, g, size);
	struct event *to;

	if (reserve_events(d, count_events(d, heads, items), err) < 0)
		return ERR_NOMEM;
	to = d->events;
	for (uint32_t item = 0; item < items; item++) {
		for (uint32_t i = heads[item]; i != NONE; i = d->links[i]) {
			const struct probe_chunk *c = chunk_at(d, i);

			memcpy(to, c + 1, c->order * sizeof(*to));
			to += c->order;
		}
	}
	*out = (struct group_events){ .item_count = items, .first = d->first, .events = d->events };
	return 0;
}
