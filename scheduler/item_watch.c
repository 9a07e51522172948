/* SPDX-License-Identifier: Apache-2.0 */
#include "item_watch.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "lockstep.h"
#include "side_counts.h"
#include "warp_former.h"

#include <stdlib.h>
#include <string.h>

struct place_use {
	uint64_t address, bytes;
	uint32_t writer; /* site of the last write, if it is the last access that changed the place
	                  */
	bool is_written;
	bool is_changed; /* in part, by a write elsewhere: nothing is known of it */
};

/* The places of an argument, the last one first. */
struct argument_places {
	uint32_t count;
	struct place_use at[ITEM_PLACES];
};

struct item_watch {
	const struct kernel_table *table;
	uint64_t stride;
	size_t arguments; /* and one for pointers of none */
	struct argument_places *places;
	uint32_t first_lane, lanes; /* of the warp; first_lane >= lanes: there is none to look at */
};

uint64_t item_watch_stride(const struct launch_shape *shape)
{
	uint32_t size[3];
	uint64_t items = launch_shape_group_count(shape) * launch_shape_group_size(shape, 0, size);
	uint64_t stride = items / ITEM_SAMPLE;

	return (stride < ITEM_STRIDE ? ITEM_STRIDE : stride) | 1;
}

int item_watch_create(struct item_watch **out, const struct kernel_table *table, uint64_t stride,
                      struct err *err)
{
	struct item_watch *w = array_alloc(1, sizeof(*w), "accesses of work-items", err);
	size_t items = (LARGE_WARP_LANES_MAX - 1) / stride + 1;

	if (!w)
		return ERR_NOMEM;
	w->table = table;
	w->stride = stride;
	w->arguments = table->argument_count + 1;
	w->places = array_alloc(items * w->arguments, sizeof(*w->places), "accesses of work-items",
	                        err);
	if (!w->places) {
		free(w);
		return ERR_NOMEM;
	}
	*out = w;
	return 0;
}

void item_watch_free(struct item_watch *w)
{
	if (w)
		free(w->places);
	free(w);
}

/* What the work-item of a lane has accessed through each argument. */
static struct argument_places *places_of(const struct item_watch *w, uint32_t lane)
{
	return &w->places[(lane - w->first_lane) / w->stride * w->arguments];
}

static void forget(const struct item_watch *w, struct argument_places *places)
{
	for (size_t i = 0; i < w->arguments; i++)
		places[i].count = 0;
}

bool item_watch_warp(struct item_watch *w, uint64_t first_item, uint32_t lanes)
{
	uint64_t before = first_item % w->stride, first = before ? w->stride - before : 0;

	w->lanes = lanes;
	w->first_lane = first < lanes ? (uint32_t)first : lanes;
	for (uint64_t lane = w->first_lane; lane < lanes; lane += w->stride)
		forget(w, places_of(w, (uint32_t)lane));
	return w->first_lane < lanes;
}

/* A write leaves nothing known of places with which it has bytes in common, but for its own. */
static void change_others(const struct item_watch *w, struct argument_places *places,
                          const struct place_use *own)
{
	for (size_t i = 0; i < w->arguments; i++)
		for (uint32_t k = 0; k < places[i].count; k++) {
			struct place_use *p = &places[i].at[k];

			if (p != own &&
			    p->address - own->address + p->bytes - 1 < p->bytes + own->bytes - 1)
				p->is_changed = true;
		}
}

/* Move the place to the front of its list, where it is new if it is not there yet. */
static struct place_use *take_place(struct argument_places *list, uint64_t address, uint64_t bytes)
{
	struct place_use found = { .address = address, .bytes = bytes, .is_changed = true };
	uint32_t at = 0;

	while (at < list->count && (list->at[at].address != address || list->at[at].bytes != bytes))
		at++;
	if (at < list->count)
		found = list->at[at];
	else if (list->count < ITEM_PLACES)
		list->count++;
	else
		at--;
	memmove(&list->at[1], &list->at[0], at * sizeof(list->at[0]));
	list->at[0] = found;
	return &list->at[0];
}

static void see(const struct item_watch *w, struct argument_places *places, uint32_t number,
                uint64_t address, uint64_t bytes, struct access_pattern *sites)
{
	const struct site *site = &w->table->sites[number];
	size_t argument = (size_t)(site->argument + 1);
	struct place_use *place;

	if (site->kind == SITE_ATOMIC) {
		forget(w, places);
		return;
	}
	if (!bytes)
		return;
	place = take_place(&places[argument < w->arguments ? argument : 0], address, bytes);
	sites[number].items.accesses++;
	if (site->kind == SITE_READ) {
		sites[number].items.rereads += !place->is_changed;
		place->is_written = place->is_written && !place->is_changed;
	} else {
		if (place->is_written && !place->is_changed)
			sites[place->writer].items.overwritten++;
		change_others(w, places, place);
		place->is_written = true;
		place->writer = number;
	}
	place->is_changed = false;
}

/* Where in the active lanes, which ascend, a lane is; lane_count: it is not active. */
static uint32_t find_lane(const uint16_t *lane, uint32_t lane_count, uint32_t wanted)
{
	uint32_t first = 0, end = lane_count;

	if (wanted < lane_count && lane[wanted] == wanted)
		return wanted;
	while (first < end) {
		uint32_t middle = first + (end - first) / 2;

		if (lane[middle] < wanted)
			first = middle + 1;
		else
			end = middle;
	}
	return first < lane_count && lane[first] == wanted ? first : lane_count;
}

void item_watch_step(struct item_watch *w, const struct warp_step *step,
                     struct access_pattern *sites)
{
	const struct site *site = &w->table->sites[step->site];

	if (side_counts_take(site))
		return;
	for (uint64_t lane = w->first_lane; lane < w->lanes; lane += w->stride) {
		struct argument_places *places = places_of(w, (uint32_t)lane);
		uint32_t i = find_lane(step->lane, step->lane_count, (uint32_t)lane);

		if (site->kind == SITE_BARRIER)
			forget(w, places);
		else if (i < step->lane_count)
			see(w, places, step->site, step->address[i],
			    step->is_mixed ? step->sizes[i] : step->bytes, sites);
	}
}

void item_watch_bundle(struct item_watch *w, const struct lockstep *l, const uint16_t *lane,
                       uint64_t length, struct access_pattern *sites)
{
	const struct lockstep_strand *strands = l->strands.data;

	for (uint64_t one = w->first_lane; one < w->lanes; one += w->stride) {
		struct argument_places *places = places_of(w, (uint32_t)one);
		uint32_t i = find_lane(lane, l->lane_count, (uint32_t)one);

		for (uint64_t n = 0; i < l->lane_count && n < length; n++)
			for (size_t k = 0; k < l->strands.count; k++) {
				uint32_t number = strands[k].site;

				if (!side_counts_take(&w->table->sites[number]))
					see(w, places, number,
					    strands[k].first[i] + n * strands[k].stride[i],
					    w->table->sites[number].bytes, sites);
			}
	}
}
