/* SPDX-License-Identifier: Apache-2.0 */
#include "lockstep.h"

#include "err.h"
#include "outline.h"
#include "packed_run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const size_t NUMBERS_LIMIT = (size_t)1 << 32;

int lockstep_init(struct lockstep *l, const struct kernel_table *table, struct err *err)
{
	uint32_t levels = loop_path_levels(table);

	l->table = table;
	l->outline = NULL;
	l->made_count = l->plain_count = l->at = 0;
	array_init(&l->shape, sizeof(struct event), NUMBERS_LIMIT, "events of a work-item");
	array_init(&l->fixed, sizeof(struct event), NUMBERS_LIMIT, "events of a work-item");
	array_init(&l->numbers, sizeof(uint64_t), NUMBERS_LIMIT, "addresses of runs");
	array_init(&l->strands, sizeof(struct lockstep_strand), NUMBERS_LIMIT, "runs");
	l->path = array_alloc(levels, sizeof(*l->path), "loop paths", err);
	if (!l->path)
		return ERR_NOMEM;
	return outline_create(&l->outline, table, err);
}

void lockstep_release(struct lockstep *l)
{
	outline_free(l->outline);
	l->outline = NULL;
	free(l->path);
	l->path = NULL;
	array_release(&l->shape);
	array_release(&l->fixed);
	array_release(&l->numbers);
	array_release(&l->strands);
}

/* Whether accesses of the site can be formed here, at this position in its loops. */
static bool can_stand(struct lockstep *l, uint32_t site, uint32_t iteration)
{
	const struct site *s = &l->table->sites[site];

	if (s->bytes > WARP_ACCESS_LIMIT_BYTES || (!s->bytes && site_kind_is_access(s->kind)))
		return false;
	return !loop_path_stand(l->path, loop_path_levels(l->table), l->table, site, iteration,
	                        NULL);
}

/* Whether an outline agrees with the table. Its ids are in range. */
static bool agrees(struct lockstep *l)
{
	uint32_t levels = loop_path_levels(l->table), iteration = 0;

	loop_path_start(l->path, levels);
	for (uint64_t i = 0; i < l->made_count; i++) {
		const struct event *e = &l->made[i];
		uint32_t id = e->point & EVENT_ID_MASK;
		bool is_good = true;

		switch (e->point & EVENT_KIND_MASK) {
		case EVENT_SITE:
			is_good = can_stand(l, id, e->iteration);
			break;
		case EVENT_LOOP:
			is_good = !loop_path_enter(l->path, levels, l->table, id, e->value, NULL);
			break;
		case EVENT_EPOCH:
			is_good = !loop_path_epoch(l->path, levels, l->table, id, e->value, NULL);
			break;
		case OUTLINE_BUNDLE:
			iteration = e->iteration;
			break;
		case EVENT_RUN: /* of a bundle */
			is_good = can_stand(l, id, iteration);
			break;
		default: /* a size */
			is_good = false;
		}
		if (!is_good)
			return false;
	}
	return true;
}

/* The bits of each event in which work-items have to agree: not those of addresses and strides. */
static void fill_fixed(struct event *fixed, const struct event *events, uint64_t count)
{
	memset(fixed, 0xff, count * sizeof(*fixed));
	for (uint64_t i = 0; i < count; i++) {
		uint32_t kind = events[i].point & EVENT_KIND_MASK;
		uint32_t parts = event_parts(events[i].point);

		if (kind != EVENT_LOOP && kind != EVENT_EPOCH)
			fixed[i].value = 0;
		if (parts && i + parts < count) {
			for (uint32_t k = 2; k <= parts && k < EVENT_GRID_PARTS; k++)
				fixed[i + k].value = 0;
			i += parts;
		}
	}
}

/* Returns the number of leading events that the outline of a stream has in common with it. */
static uint64_t count_plain(const struct lockstep *l, const struct event *events, uint64_t count)
{
	uint64_t i = 0;

	for (; i < count && i < l->made_count; i++) {
		const struct event *made = &l->made[i];
		bool is_site = (made->point & EVENT_KIND_MASK) == EVENT_SITE;
		uint64_t value = is_site ? i << OUTLINE_INDEX_BITS : events[i].value;

		if (made->point != events[i].point || made->iteration != events[i].iteration ||
		    made->value != value)
			break;
	}
	return i;
}

/* Use a work-item's stream as the shape of the following ones; *fits becomes whether that is
 * possible. */
static int take_shape(struct lockstep *l, const struct event *events, uint64_t count, bool *fits,
                      struct err *err)
{
	struct err why = { 0 };
	struct event *shape, *fixed;
	int rc;

	*fits = false;
	array_clear(&l->shape);
	array_clear(&l->fixed);
	rc = outline_make(l->outline, events, count, &l->made, &l->made_count, &why);
	if (rc == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "%s", why.msg);
	if (rc || !agrees(l))
		return 0;
	shape = array_push(&l->shape, count, err);
	fixed = array_push(&l->fixed, count, err);
	if (!shape || !fixed) {
		array_clear(&l->shape);
		return ERR_NOMEM;
	}
	memcpy(shape, events, count * sizeof(*shape));
	fill_fixed(fixed, events, count);
	l->plain_count = count_plain(l, events, count);
	*fits = true;
	return 0;
}

/* Whether a stream, not longer than the shape, follows the shape and can end where it does. */
static bool has_shape(const struct lockstep *l, const struct event *events, uint64_t count)
{
	const struct event *shape = l->shape.data, *fixed = l->fixed.data;
	uint64_t differs = 0;

	if (count > l->plain_count && count != l->shape.count)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t a[2], b[2], mask[2]; /* whole events at a time */

		memcpy(a, &events[i], sizeof(a));
		memcpy(b, &shape[i], sizeof(b));
		memcpy(mask, &fixed[i], sizeof(mask));
		differs |= ((a[0] ^ b[0]) & mask[0]) | ((a[1] ^ b[1]) & mask[1]);
	}
	return !differs;
}

/* Whether all lanes have the points of the longest stream. */
static bool have_points_of(const struct lockstep *l, uint32_t longest)
{
	const struct event *like = l->events[longest];
	uint32_t differs = 0;

	for (uint32_t i = 0; i < l->lane_count && !differs; i++)
		for (uint64_t k = 0; k < l->counts[i]; k++)
			differs |= l->events[i][k].point ^ like[k].point;
	return !differs;
}

/* Find the lanes with events. Returns the index of the lane with most events, the first such. */
static uint32_t find_lanes(struct lockstep *l, const struct group_events *events,
                           uint32_t first_item, uint32_t lanes)
{
	const uint64_t *first = events->first + first_item;
	uint32_t count = 0, longest = 0;

	l->least = UINT64_MAX;
	for (uint32_t i = 0; i < lanes; i++) {
		uint64_t own = first[i + 1] - first[i];

		if (!own)
			continue;
		l->lane[count] = (uint16_t)i;
		l->events[count] = events->events + first[i];
		l->counts[count] = own;
		if (own > l->counts[longest])
			longest = count;
		if (own < l->least)
			l->least = own;
		count++;
	}
	l->lane_count = count;
	return longest;
}

int lockstep_start(struct lockstep *l, const struct group_events *events, uint32_t first_item,
                   uint32_t lanes, bool *fits, struct err *err)
{
	uint32_t longest;

	assert(lanes >= 1 && lanes <= LARGE_WARP_LANES_MAX);
	*fits = true;
	longest = find_lanes(l, events, first_item, lanes);
	l->at = 0;
	l->has_new_lanes = true;
	if (!l->lane_count)
		return 0;
	if (l->counts[longest] > l->shape.count ||
	    !has_shape(l, l->events[longest], l->counts[longest])) {
		int rc;

		*fits = have_points_of(l, longest);
		rc = *fits ? take_shape(l, l->events[longest], l->counts[longest], fits, err) : 0;
		if (rc)
			return rc;
	}
	for (uint32_t i = 0; i < l->lane_count && *fits; i++)
		*fits = has_shape(l, l->events[i], l->counts[i]);
	return 0;
}

/* Before the instruction of this record of the shape: drop the lanes that have ended. */
static void drop_ended(struct lockstep *l, uint64_t record)
{
	uint32_t kept = 0;

	l->least = UINT64_MAX;
	for (uint32_t i = 0; i < l->lane_count; i++) {
		if (l->counts[i] <= record)
			continue;
		l->lane[kept] = l->lane[i];
		l->events[kept] = l->events[i];
		l->counts[kept] = l->counts[i];
		if (l->counts[i] < l->least)
			l->least = l->counts[i];
		kept++;
	}
	l->lane_count = kept;
	l->has_new_lanes = true;
}

/* Returns the address of access `index` of a record, with the distance to the next one of its row
 * in *stride. */
static uint64_t address_at(const struct event *record, uint64_t index, uint64_t *stride)
{
	uint32_t kind = record->point & EVENT_KIND_MASK;
	uint64_t address = record->value;

	*stride = 0;
	if (kind == EVENT_SITE)
		return address;
	*stride = record[2].value;
	if (kind == EVENT_GRID) {
		address += index / record->iteration * record[3].value;
		index %= record->iteration;
	}
	return address + index * *stride;
}

static void fill_step(struct lockstep *l, const struct event *e, struct warp_step *step)
{
	uint64_t record = outline_record(e->value), index = outline_index(e->value), stride;

	step->site = e->point & EVENT_ID_MASK;
	step->bytes = l->table->sites[step->site].bytes;
	step->is_mixed = false;
	step->lane_count = l->lane_count;
	if (l->table->sites[step->site].kind == SITE_BARRIER)
		return;
	if (index)
		for (uint32_t i = 0; i < l->lane_count; i++)
			step->address[i] = address_at(&l->events[i][record], index, &stride);
	else
		for (uint32_t i = 0; i < l->lane_count; i++)
			step->address[i] = l->events[i][record].value;
}

static bool is_silent(const struct lockstep *l, uint32_t site)
{
	enum site_kind kind = l->table->sites[site].kind;

	return kind == SITE_FENCE || kind == SITE_PREFETCH;
}

/* Fill in the strands of the `count` events at `e`, except those that make no request. */
static int fill_bundle(struct lockstep *l, const struct event *e, uint32_t count, struct err *err)
{
	size_t numbers = (size_t)2 * l->lane_count * count;
	struct lockstep_strand *strand;
	uint64_t *number;

	array_clear(&l->strands);
	array_clear(&l->numbers);
	number = array_push(&l->numbers, numbers, err);
	strand = array_push(&l->strands, count, err);
	if (!number || !strand)
		return ERR_NOMEM;
	l->strands.count = 0;
	for (uint32_t k = 0; k < count; k++) {
		uint64_t record = outline_record(e[k].value), index = outline_index(e[k].value);
		uint32_t site = e[k].point & EVENT_ID_MASK;

		if (is_silent(l, site))
			continue;
		*strand++ = (struct lockstep_strand){ site, number, number + l->lane_count };
		for (uint32_t i = 0; i < l->lane_count; i++)
			number[i] = address_at(&l->events[i][record], index,
			                       &number[l->lane_count + i]);
		number += (size_t)2 * l->lane_count;
		l->strands.count++;
	}
	return 0;
}

/* The record of the next instruction: that of the event at `e`, or of the first event of a bundle.
 */
static uint64_t next_record(const struct event *e, uint32_t kind)
{
	return outline_record(e[kind == OUTLINE_BUNDLE].value);
}

/* Set the lanes of the following steps. */
static void set_lanes(struct lockstep *l, struct warp_step *step)
{
	if (l->has_new_lanes)
		memcpy(step->lane, l->lane, l->lane_count * sizeof(l->lane[0]));
	l->has_new_lanes = false;
}

int lockstep_next(struct lockstep *l, struct warp_step *step, uint64_t *length, struct err *err)
{
	while (l->at < l->made_count && l->lane_count) {
		const struct event *e = &l->made[l->at++];
		uint32_t kind = e->point & EVENT_KIND_MASK, id = e->point & EVENT_ID_MASK;

		if (kind != EVENT_SITE && kind != OUTLINE_BUNDLE)
			continue;
		if (next_record(e, kind) >= l->least) {
			drop_ended(l, next_record(e, kind));
			if (!l->lane_count)
				break;
		}
		set_lanes(l, step);
		if (kind == OUTLINE_BUNDLE) {
			l->at += id;
			*length = e->value;
			if (fill_bundle(l, e + 1, id, err))
				return ERR_NOMEM;
			return LOCKSTEP_BUNDLE;
		}
		if (!is_silent(l, id)) {
			fill_step(l, e, step);
			return LOCKSTEP_STEP;
		}
	}
	return LOCKSTEP_END;
}
