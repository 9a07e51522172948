/* SPDX-License-Identifier: Apache-2.0 */
#include "strand.h"

#include "err.h"
#include "outline.h"

#include <stdlib.h>

#define TILE_EVENTS                                                                                \
	512u /* written while they are near: each strand goes through them on its own              \
	      */

struct strand strand_make(const struct packed_run *r, uint32_t child)
{
	return (struct strand){ .address = r->address,
		                .stride = r->is_grid ? r->row_stride : r->stride,
		                .first = r->first,
		                .last = r->first + ((r->is_grid ? r->rows : r->count) - 1),
		                .site = r->site,
		                .child = r->is_grid ? child : STRAND_NO_CHILD,
		                .count = r->count,
		                .inner_stride = r->stride };
}

struct strand strand_take_row(struct strand *grid)
{
	struct strand row = { .address = grid->address,
		              .stride = grid->inner_stride,
		              .last = grid->count - 1,
		              .site = grid->site,
		              .child = STRAND_NO_CHILD };

	grid->address += grid->stride;
	return row;
}

static int compare(const struct strand *a, const struct strand *b)
{
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->site > b->site) - (a->site < b->site);
}

static int compare_void(const void *a, const void *b)
{
	return compare(a, b);
}

void strands_sort(struct strand *strands, size_t count)
{
	if (count > 16) {
		qsort(strands, count, sizeof(*strands), compare_void);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		struct strand s = strands[i];
		size_t k = i;

		for (; k > 0 && compare(&strands[k - 1], &s) > 0; k--)
			strands[k] = strands[k - 1];
		strands[k] = s;
	}
}

/* Every step-th event from `to` on. */
static void put_one(struct event *to, size_t step, struct strand *s, uint32_t iteration,
                    size_t length)
{
	uint64_t address = s->address, stride = s->stride;
	uint32_t site = s->site;

	for (size_t i = 0; i < length; i++) {
		to[i * step] = (struct event){ address, site, iteration + (uint32_t)i };
		address += stride;
	}
	s->address = address;
}

/* Two iterations or more as a bundle (outline.h). */
static int put_bundle(struct event_sink *to, struct strand *strands, size_t count, uint64_t first,
                      uint64_t length, struct err *err)
{
	int ret = event_sink_reserve(to, count + 1, err);

	if (ret)
		return ret;
	event_sink_put(to, length, OUTLINE_BUNDLE | (uint32_t)count, (uint32_t)first);
	for (size_t i = 0; i < count; i++) {
		event_sink_put(to, strands[i].address, EVENT_RUN | strands[i].site, 0);
		strands[i].address += strands[i].stride * length;
	}
	return 0;
}

/* How many iterations of `count` events there is room for, at least one. */
static uint64_t fitting(const struct event_sink *to, size_t count, uint64_t length)
{
	uint64_t room = to->room > to->count ? (to->room - to->count) / count : 0;

	room = room ? room : 1;
	return length < room ? length : room;
}

int strands_put(struct event_sink *to, struct strand *strands, size_t count, uint64_t first,
                uint64_t *length, struct err *err)
{
	size_t tile = count < TILE_EVENTS ? TILE_EVENTS / count : 1;
	uint64_t wanted = *length, left;
	int ret;

	if (to->is_outline && wanted > 1)
		return put_bundle(to, strands, count, first, wanted, err);
	*length = 0;
	left = fitting(to, count, wanted);
	ret = event_sink_reserve(to, left * count, err);
	if (ret)
		return ret;
	*length = left;
	while (left) {
		size_t part = left < tile ? (size_t)left : tile;

		for (size_t i = 0; i < count; i++)
			put_one(to->events + to->count + i, count, &strands[i], (uint32_t)first,
			        part);
		to->count += part * count;
		first += part;
		left -= part;
	}
	return *length < wanted ? EVENT_SINK_FULL : 0;
}
