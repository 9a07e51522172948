/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_plan.h"

#include "probe_abi.h"

#include <stddef.h>

#define FIRST_CHUNK_EVENTS 64u
#define MIN_CHUNK_EVENTS   4u
#define MAX_CHUNK_EVENTS   1024u
/* A first guess where nothing is known: this many chunks per work-item. */
#define FIRST_ITEM_CHUNKS 16u
#define MAX_EXACT_EVENTS  (1u << 20)
#define GROWTH            8u
#define CAUTIOUS_RESERVE  8u
#define MAX_RESERVE       64u

static uint64_t chunk_bytes(uint32_t chunk_events)
{
	return sizeof(struct probe_chunk) + (uint64_t)chunk_events * sizeof(struct event);
}

/* Chunks that the room holds; next_chunk counts in 32 bits and must not wrap. */
static uint64_t chunks_in_room(const struct slice_plan *p, uint32_t chunk_events)
{
	uint64_t chunks = p->room_bytes / chunk_bytes(chunk_events);

	return chunks < UINT32_MAX / 2 ? chunks : UINT32_MAX / 2;
}

static uint64_t at_least_one(uint64_t n)
{
	return n ? n : 1;
}

static uint64_t at_most(uint64_t n, uint64_t limit)
{
	return n < limit ? n : limit;
}

/* Chunks smaller until every work-item of one group may have one, if that is possible. */
static void fit_chunks(struct slice_plan *p)
{
	while (p->chunk_events > MIN_CHUNK_EVENTS &&
	       chunks_in_room(p, p->chunk_events) < p->group_items)
		p->chunk_events /= 2;
	while (p->chunk_events > 1 && !chunks_in_room(p, p->chunk_events))
		p->chunk_events /= 2;
}

static void begin_guessing(struct slice_plan *p)
{
	p->is_exact = false;
	p->reserve = 1;
	p->chunk_events = FIRST_CHUNK_EVENTS;
	fit_chunks(p);
	p->groups = at_least_one(chunks_in_room(p, p->chunk_events) /
	                         ((uint64_t)p->group_items * FIRST_ITEM_CHUNKS));
}

void slice_plan_init(struct slice_plan *p, uint64_t group_count, uint32_t group_items,
                     uint64_t max_events, uint64_t room_bytes)
{
	*p = (struct slice_plan){ .group_count = group_count,
		                  .group_items = group_items,
		                  .room_bytes = room_bytes };
	if (max_events && max_events <= MAX_EXACT_EVENTS) {
		p->chunk_events = (uint32_t)max_events;
		p->groups = chunks_in_room(p, p->chunk_events) / group_items;
		p->is_exact = p->groups > 0;
	}
	if (!p->is_exact)
		begin_guessing(p);
}

void slice_plan_be_cautious(struct slice_plan *p)
{
	p->is_cautious = true;
	if (!p->is_exact && !p->item_events)
		p->groups = 1;
}

bool slice_plan_next(const struct slice_plan *p, struct slice *out)
{
	if (p->next >= p->group_count)
		return false;
	out->begin = p->next;
	out->end = p->next + at_most(p->groups, p->group_count - p->next);
	out->chunk_events = p->chunk_events;
	out->chunk_count = (uint32_t)chunks_in_room(p, p->chunk_events);
	return true;
}

/* Chunk size and slice size for what a work-item has been seen to make. */
static void retune(struct slice_plan *p, uint64_t limit)
{
	uint64_t times = p->is_cautious ? CAUTIOUS_RESERVE : p->reserve;
	uint64_t events = at_most(p->item_events, MAX_CHUNK_EVENTS);
	uint64_t item_chunks, chunks;

	p->chunk_events =
		(uint32_t)((events + MIN_CHUNK_EVENTS) / MIN_CHUNK_EVENTS) * MIN_CHUNK_EVENTS;
	fit_chunks(p);
	item_chunks =
		at_most(p->item_events / p->chunk_events + 1, UINT64_MAX / times / p->group_items);
	chunks = chunks_in_room(p, p->chunk_events);
	p->groups = (chunks - chunks / 8) / (item_chunks * p->group_items * times);
	p->groups = at_most(at_least_one(p->groups), limit);
}

void slice_plan_accept(struct slice_plan *p, const struct slice *done, uint64_t events)
{
	uint64_t groups = done->end - done->begin;
	uint64_t items = groups * p->group_items; /* fits: groups and items of a launch do */
	uint64_t mean = events / items + (events % items != 0);

	p->next = done->end;
	if (p->is_exact)
		return;
	if (mean > p->item_events)
		p->item_events = mean;
	retune(p, groups > UINT64_MAX / GROWTH ? UINT64_MAX : groups * GROWTH);
}

bool slice_plan_shrink(struct slice_plan *p, const struct slice *failed)
{
	uint64_t groups = failed->end - failed->begin;

	p->reserve = at_most(p->reserve * 2, MAX_RESERVE);
	if (groups > 1) {
		p->groups = at_least_one(groups / 4);
		return true;
	}
	/* One group: smaller chunks waste less on work-items that make few events. */
	if (p->chunk_events <= MIN_CHUNK_EVENTS)
		return false;
	p->chunk_events =
		p->chunk_events / 4 > MIN_CHUNK_EVENTS ? p->chunk_events / 4 : MIN_CHUNK_EVENTS;
	return true;
}

void slice_plan_set_room(struct slice_plan *p, uint64_t room_bytes)
{
	p->room_bytes = room_bytes;
	if (p->chunk_events < FIRST_CHUNK_EVENTS)
		p->chunk_events = FIRST_CHUNK_EVENTS;
	fit_chunks(p);
}
