/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_maker.h"

#include "access_patterns.h"
#include "err.h"
#include "gpu.h"
#include "group_stream.h"
#include "group_stream_private.h"
#include "reorder_config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

void large_warp_cut(struct large_warp *l, const struct warp_step *step, uint32_t columns)
{
	assert(step->lane_count && columns && columns <= WARP_LANES_MAX);
	l->step = step;
	l->columns = columns;
	l->sub_warps = 0;
	memset(l->depth, 0, columns * sizeof(*l->depth));
	for (uint32_t i = 0; i < step->lane_count; i++) {
		uint32_t column = step->lane[i] % columns, k = l->depth[column]++;

		l->active[k * columns + column] = (uint16_t)i;
		if (l->depth[column] > l->sub_warps)
			l->sub_warps = l->depth[column];
	}
}

/* The widths are those of the lanes taken: `is_mixed` and `bytes` are theirs too. */
static void take_size(struct warp_step *out, uint32_t lane, uint64_t size)
{
	out->sizes[lane] = size;
	out->is_mixed |= size != out->sizes[0];
	if (size > out->bytes)
		out->bytes = (uint32_t)size;
}

void large_warp_take(const struct large_warp *l, uint32_t k, struct warp_step *out,
                     uint16_t *large_lane)
{
	const struct warp_step *step = l->step;

	assert(k < l->sub_warps);
	out->site = step->site;
	out->lane_count = 0;
	out->bytes = step->is_mixed ? 0 : step->bytes;
	out->is_mixed = false;
	for (uint32_t column = 0; column < l->columns; column++) {
		uint32_t lane = out->lane_count, i;

		if (l->depth[column] <= k)
			continue;
		i = l->active[k * l->columns + column];
		out->lane[lane] = (uint16_t)column;
		large_lane[lane] = step->lane[i];
		out->address[lane] = step->address[i];
		if (step->is_mixed)
			take_size(out, lane, step->sizes[i]);
		out->lane_count++;
	}
}

/* Of a hundred groups the first are some megabytes. */
enum { SPILL_BYTES = 128 << 10, EXTENT_BYTES = 1 << 20 };

/* Stored events of a warp: 8 MB. */
enum { IN_STEP_EVENTS = 1 << 19 };

int stream_maker_init(struct stream_maker *m, const struct gpu *gpu,
                      const struct kernel_table *table, const struct address_map *map,
                      struct side_counts *sides, struct err *err)
{
	m->gpu = gpu;
	m->sides = sides;
	m->keeps_lanes = m->takes_fronts = false;
	m->former = NULL;
	m->warp_lanes = m->lanes = gpu->warp_lanes;
	m->keeps_paths = false;
	m->spill = NULL;
	m->reorder = NULL;
	m->patterns = NULL;
	m->table = table;
	m->spill_bytes = SPILL_BYTES;
	m->extent_bytes = EXTENT_BYTES;
	m->places = (struct pattern_places){ 0 };
	coalescer_init(&m->coalescer, gpu, map);
	if (lockstep_init(&m->lockstep, table, err))
		return ERR_NOMEM;
	return warp_former_create(&m->former, table, err);
}

void stream_maker_release(struct stream_maker *m)
{
	warp_former_free(m->former);
	m->former = NULL;
	lockstep_release(&m->lockstep);
	coalescer_release(&m->coalescer);
}

void stream_maker_set_order(struct stream_maker *m, const struct issue_order *order)
{
	m->lanes = issue_order_lanes(order, m->warp_lanes);
	m->keeps_paths = order->kind == ISSUE_ORDER_reorder;
	m->takes_fronts |= m->keeps_paths || m->lanes > m->warp_lanes;
}

static int mark_warp(struct group_stream *s, struct err *err)
{
	struct stream_warp *warp = array_append(&s->warps, 1, err);

	if (!warp)
		return ERR_NOMEM;
	warp->first_instruction = s->spill.instructions + s->instructions.count;
	warp->first_request = s->spill.requests + s->requests.count;
	return 0;
}

/* A warp in step, which m->lockstep has begun. */
static int form_in_step(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                        struct err *err)
{
	int rc = 0;

	while (!rc) {
		uint64_t length;
		int next = lockstep_next(&m->lockstep, &m->step, &length, err);

		if (next == LOCKSTEP_STEP)
			rc = group_stream_add_step(s, m, first_item, err);
		else if (next == LOCKSTEP_BUNDLE)
			rc = stream_bundles_add(s, m, first_item, length, err);
		else
			return next;
	}
	return rc;
}

/* Any warp. */
static int form_by_fronts(struct group_stream *s, struct stream_maker *m,
                          const struct group_items *items, uint32_t first_item, uint32_t lanes,
                          struct err *err)
{
	int rc = warp_former_start(m->former, items, first_item, lanes, err);

	while (!rc) {
		rc = warp_former_next(m->former, &m->step, err);
		if (rc || !m->step.lane_count)
			return rc;
		rc = group_stream_add_step(s, m, first_item, err);
	}
	return rc;
}

/* Whether a warp may be tried for one in step, which takes memory for all of its events. */
static bool is_short(const struct group_items *items, uint32_t first_item, uint32_t lanes)
{
	const uint64_t *first = items->events.first;

	return !items->store && first[first_item + lanes] - first[first_item] <= IN_STEP_EVENTS;
}

static int form_warp(struct group_stream *s, struct stream_maker *m,
                     const struct group_items *items, uint32_t first_item, struct err *err)
{
	uint32_t left = items->events.item_count - first_item;
	uint32_t lanes = left < m->lanes ? left : m->lanes;
	bool is_in_step = false;
	int rc = mark_warp(s, err);

	if (m->patterns)
		access_patterns_warp(m->patterns, s->group, first_item, lanes);
	if (!rc && !m->takes_fronts && is_short(items, first_item, lanes))
		rc = lockstep_start(&m->lockstep, &items->events, first_item, lanes, &is_in_step,
		                    err);
	if (rc || is_in_step)
		return rc ? rc : form_in_step(s, m, first_item, err);
	return form_by_fronts(s, m, items, first_item, lanes, err);
}

/* Whether the bounds of the work-items are in order. */
static int check_bounds(const struct group_events *events, struct err *err)
{
	for (uint32_t i = 0; events->first && i < events->item_count; i++)
		if (events->first[i] > events->first[i + 1])
			return err_set(err, ERR_FORMAT,
			               "the events of work-item %" PRIu32 " end before they begin",
			               i);
	return 0;
}

/* Nothing of the group before. */
static void clear(struct group_stream *s)
{
	s->warp_count = 0;
	s->lanes = s->accesses = 0;
	array_clear(&s->warps);
	array_clear(&s->instructions);
	array_clear(&s->requests);
	array_clear(&s->lane_ends);
	array_clear(&s->items);
	array_clear(&s->addresses);
	array_clear(&s->paths);
	array_clear(&s->ranks);
	stream_bundles_clear(&s->bundles);
	stream_spill_clear(&s->spill);
	pattern_set_clear(&s->patterns);
}

int group_stream_form(struct group_stream *s, struct stream_maker *m, uint64_t group,
                      const struct group_items *items, struct err *err)
{
	struct err why = { 0 };
	uint64_t item = 0;
	int rc = check_bounds(&items->events, &why);

	warp_former_keep_path(m->former, m->keeps_paths);
	clear(s);
	s->group = group;
	pattern_places_clear(&m->places);
	while (!rc && item < items->events.item_count) {
		rc = form_warp(s, m, items, (uint32_t)item, &why);
		item += m->lanes;
		s->warp_count++;
	}
	if (m->patterns)
		access_patterns_group_end(m->patterns);
	if (!rc)
		rc = mark_warp(s, &why);
	if (!rc && m->reorder)
		rc = reorder_config_rank(m->reorder, m->table, s, &why);
	if (!rc && m->spill && !m->keeps_paths && !m->reorder && !s->spill.is_refused &&
	    (!m->keeps_lanes || s->spill.file))
		rc = stream_spill_end(s, m->spill, m->spill_bytes, &why);
	return rc ? err_set(err, (enum err_code)rc, "group %" PRIu64 ": %s", group, why.msg) : 0;
}
