/* SPDX-License-Identifier: Apache-2.0 */
#include "columns_reader.h"

#include "alike_items.h"
#include "byte_planes.h"
#include "item_numbers.h"
#include "launch_model.h"
#include "loop_places.h"
#include "model_guide.h"
#include "model_rare.h"
#include "moved_items.h"
#include "packed_run.h"
#include "varint.h"

static const char no_number[] = "columns points, iterations, widths and values: expected a number "
				"for each event";

const char *columns_reader_begin(struct columns_reader *r, struct launch_model *m,
                                 const struct column columns[COLUMN_COUNT])
{
	r->model = m;
	r->previous_count = 0;
	for (size_t c = 0; c < COLUMN_VALUES1; c++) {
		r->at[c] = columns[c].bytes;
		r->end[c] = columns[c].bytes + columns[c].used;
	}
	for (size_t c = COLUMN_VALUES1; c < COLUMN_COUNT; c++) {
		size_t width = column_width(c);

		if (columns[c].used % width)
			return "a column of values does not hold whole values";
		r->values[c - COLUMN_VALUES1] =
			(struct values_reader){ .planes = columns[c].bytes,
			                        .count = columns[c].used / width };
	}
	launch_model_begin(m);
	return NULL;
}

const char *columns_reader_guides(struct columns_reader *r, const unsigned char *at, size_t length)
{
	struct site_guide guide = { .site = UINT32_MAX };
	const unsigned char *end = at + length;
	const char *fault = NULL;

	while (at && at < end) {
		at = site_guide_get(&guide, at, end, (uint32_t)(guide.site + 1),
		                    r->model->site_count, &fault);
		if (at)
			launch_model_guide(r->model, &guide);
	}
	return at ? NULL : fault;
}

const char *columns_reader_counts(struct columns_reader *r, uint32_t items, uint64_t limit,
                                  uint64_t *first)
{
	const unsigned char *at = r->at[COLUMN_COUNTS], *end = r->end[COLUMN_COUNTS];
	uint64_t count = r->previous_count, code;

	first[0] = 0;
	for (uint32_t i = 0; i < items; i++) {
		at = at < end ? varint_get(at, &code) : NULL;
		if (!at)
			return "column counts: expected a number for each work-item";
		count += unzigzag64(code);
		if (count > limit - first[i])
			return "column counts: more events than the chunk has";
		first[i + 1] = first[i] + count;
	}
	r->at[COLUMN_COUNTS] = at;
	r->previous_count = count;
	return NULL;
}

/* The getters return false when a column ran out or a number is too large. */

static inline bool get_varint(struct columns_reader *r, enum launch_column c, uint32_t *out)
{
	const unsigned char *at = r->at[c];
	uint64_t code = 0;

	at = at < r->end[c] ? varint_get(at, &code) : NULL;
	if (!at || code >> 32)
		return false;
	r->at[c] = at;
	*out = (uint32_t)code;
	return true;
}

/* Add a difference to *value. */
static inline bool get_value(struct columns_reader *r, uint64_t *value)
{
	const unsigned char *widths = r->at[COLUMN_WIDTHS];
	struct values_reader *v;
	unsigned width;

	if (widths >= r->end[COLUMN_WIDTHS] || *widths > 4)
		return false;
	width = *widths;
	r->at[COLUMN_WIDTHS] = widths + 1;
	if (!width)
		return true;
	v = &r->values[width - 1];
	if (v->next >= v->count)
		return false;
	*value +=
		unzigzag64(byte_planes_get(v->planes, v->count, (size_t)1 << (width - 1), v->next));
	v->next++;
	return true;
}

/* Add a difference to *number. */
static inline bool get_number(struct columns_reader *r, uint32_t *number)
{
	uint32_t code;

	if (!get_varint(r, COLUMN_ITERATIONS, &code))
		return false;
	*number += unzigzag32(code);
	return true;
}

/* The value of a site with a guide, whose iteration was read. */
static inline bool get_guided(struct columns_reader *r, uint32_t site, uint64_t iteration,
                              struct event *e)
{
	struct launch_model *m = r->model;
	struct model_site *s = &m->sites[site];
	uint64_t asked = model_guided_ask(m, s, iteration), value = asked;

	if (!get_value(r, &value))
		return false;
	model_loop_step(model_loop_at(m, s->loop), loop_places_of_site(site), (uint32_t)iteration);
	model_guided_tell(m, s, iteration, value, value == asked);
	*e = (struct event){ .value = value, .point = site, .iteration = (uint32_t)iteration };
	return true;
}

static inline bool get_site(struct columns_reader *r, uint32_t site, struct event *e)
{
	struct launch_model *m = r->model;
	struct model_site *s = &m->sites[site];
	struct model_loop *l = model_loop_at(m, s->loop);
	uint32_t position = loop_places_of_site(site);
	uint32_t low = (uint32_t)model_loop_ask(l, position);
	uint64_t iteration, value, asked;

	if (!get_number(r, &low))
		return false;
	iteration = (uint64_t)l->high << 32 | low;
	if (s->guide != MODEL_GUIDE_OWN)
		return get_guided(r, site, iteration, e);
	asked = value = model_track_ask(&s->track, m->item, iteration);
	if (!get_value(r, &value))
		return false;
	model_loop_step(l, position, low);
	model_track_tell(&s->track, m->item, iteration, value, value == asked);
	*e = (struct event){ .value = value, .point = site, .iteration = low };
	return true;
}

/* Not inlined: so the reader may live in registers where it has only sites to read. */
static bool get_run(struct columns_reader *r, struct packed_run *run)
{
	struct model_run *was = &r->model->runs[run->site];
	uint64_t step = model_run_step(r->model, run->site, run->is_grid);
	uint64_t zero, asked;

	if (!get_number(r, &was->count))
		return false;
	if (run->is_grid && (!get_number(r, &was->rows) || !get_value(r, &was->row_stride)))
		return false;
	if (!get_value(r, &was->first) || !get_value(r, &was->stride))
		return false;
	asked = zero = model_track_ask(&was->track, r->model->item, step);
	if (!get_value(r, &zero))
		return false;
	model_track_tell(&was->track, r->model->item, step, zero, zero == asked);
	run->count = was->count;
	run->rows = run->is_grid ? was->rows : 0;
	run->first = was->first;
	run->stride = was->stride;
	run->row_stride = run->is_grid ? was->row_stride : 0;
	run->address = zero + (run->is_grid ? run->row_stride : run->stride) * run->first;
	return true;
}

/* One event that is no site's, or a run or grid with its parts; *count gets how many events. */
static const char *get_other(struct columns_reader *r, uint32_t point, struct event *events,
                             uint64_t left, uint32_t *count)
{
	uint32_t id = point & EVENT_ID_MASK, iteration = 0, kind = point & EVENT_KIND_MASK;
	struct launch_model *m = r->model;
	bool is_site = kind == EVENT_SIZE || event_parts(point);
	struct packed_run run = { .is_grid = kind == EVENT_GRID, .site = id };
	const char *fault;
	uint64_t value;

	if (kind >= EVENT_PART || id >= (is_site ? m->site_count : m->loop_count))
		return "column points: a site or loop that the kernel does not have";
	*count = 1 + event_parts(point);
	if (*count == 1) {
		value = model_rare_ask(m, point);
		if (!get_number(r, &iteration) || !get_value(r, &value))
			return no_number;
		model_rare_tell(m, point, value);
		*events = (struct event){ value, point, iteration };
		return NULL;
	}
	if (*count > left)
		return "a run or grid goes on beyond its work-item";
	if (!get_run(r, &run))
		return no_number;
	fault = packed_run_fault(&run, m->table);
	packed_run_put(&run, events);
	return fault;
}

/* Fewer repeats are as fast one by one. */
enum { REPEATS_MIN = 16, CODE_SITES = 16 }; /* sites whose code is one byte */

/* How many events follow `before` that are of its site, each in the next iteration; at most `left`,
 * and 0 for a few. */
static inline uint64_t count_repeats(const struct columns_reader *r, const struct event *before,
                                     uint64_t left)
{
	const unsigned char *points = r->at[COLUMN_POINTS];
	const unsigned char *iterations = r->at[COLUMN_ITERATIONS];
	uint64_t i = 0;

	if (left < REPEATS_MIN || *points != points[-1] || before->point >= CODE_SITES ||
	    r->model->sites[before->point].guide != MODEL_GUIDE_OWN)
		return 0;
	if (left > (uint64_t)(r->end[COLUMN_POINTS] - points))
		left = (uint64_t)(r->end[COLUMN_POINTS] - points);
	if (left > (uint64_t)(r->end[COLUMN_ITERATIONS] - iterations))
		left = (uint64_t)(r->end[COLUMN_ITERATIONS] - iterations);
	if (left > UINT32_MAX - before->iteration)
		left = UINT32_MAX - before->iteration;
	while (i < left && points[i] == points[-1] && !iterations[i])
		i++;
	return i < REPEATS_MIN ? 0 : i;
}

/*
 * The `count` events behind *before: what get_site() does, with all that stays the same out of the
 * loop. Returns how many; stops, before anything that is wrong, for get_site() to say so.
 */
static uint64_t get_repeats(struct columns_reader *r, struct event *before, uint64_t count)
{
	struct model_site *s = &r->model->sites[before->point];
	struct model_stream next = s->track.next;
	struct columns_reader local = *r;
	struct event e = *before;
	uint64_t i = 0;

	for (; i < count; i++) {
		const unsigned char *widths = local.at[COLUMN_WIDTHS];
		uint64_t asked = next.last + next.stride, value = asked;

		if (!get_value(&local, &value)) {
			local.at[COLUMN_WIDTHS] = widths;
			break;
		}
		e.value = value;
		e.iteration++;
		*++before = e;
		model_stream_tell(&next, next.step + 1, value, value == asked);
	}
	local.at[COLUMN_POINTS] += i;
	local.at[COLUMN_ITERATIONS] += i;
	s->track.next = next;
	model_loop_at(r->model, s->loop)->low = e.iteration;
	*r = local;
	return i;
}

static inline const char *get_event(struct columns_reader *r, struct event *events, uint64_t left,
                                    uint32_t *count)
{
	uint32_t code;
	struct columns_reader shared;
	const char *fault;

	if (!get_varint(r, COLUMN_POINTS, &code))
		return no_number;
	code = code_point(code);
	if (code < r->model->site_count) { /* EVENT_SITE is 0 */
		*count = 1;
		return get_site(r, code, events) ? NULL : no_number;
	}
	shared = *r;
	fault = get_other(&shared, code, events, left, count);
	*r = shared;
	return fault;
}

static inline struct columns_place place_of(const unsigned char *const at[COLUMN_COUNT])
{
	return (struct columns_place){ at[COLUMN_POINTS], at[COLUMN_ITERATIONS],
		                       at[COLUMN_WIDTHS] };
}

/* The events of a work-item, one by one. */
static inline const char *get_item(struct columns_reader *r, uint64_t count, struct event *events)
{
	const char *fault = NULL;
	uint32_t step = 0;

	for (uint64_t i = 0, more; i < count && !fault; i += step) {
		fault = get_event(r, &events[i], count - i, &step);
		more = fault ? 0 : count_repeats(r, &events[i], count - i - 1);
		if (more) {
			struct columns_reader shared = *r;

			i += get_repeats(&shared, &events[i], more);
			*r = shared;
		}
	}
	return fault;
}

/* How many work-items, of `items` behind the one that was read, differ from it in nothing but what
 * its strides say (*is_moved), or in their values alone. */
static uint32_t count_more(const struct launch_model *m, const struct item_numbers *n,
                           const uint64_t *first, uint32_t items, const struct event *events,
                           bool *is_moved)
{
	*is_moved = item_numbers_were_foreseen(n);
	if (*is_moved && moved_items_are_likely(m, events, n->count))
		return (uint32_t)item_numbers_count_same(n, first, items);
	if (*is_moved || !item_numbers_has_iterations(n) ||
	    !alike_items_are_likely(m, events, n->count))
		return 0;
	return (uint32_t)item_numbers_count_alike(n, first, items);
}

/* Get them, or as many as are alike. */
static const char *get_more(struct columns_reader *r, const struct item_numbers *n, bool is_moved,
                            struct event *events, uint32_t *more)
{
	struct alike_items a = { .before = events, .count = n->count, .items = *more };

	if (is_moved) {
		moved_items_put(r->model, events, n->count, *more);
		r->at[COLUMN_WIDTHS] += *more * n->count;
	} else {
		if (!alike_items_get(r, &a))
			return no_number;
		*more = a.got;
	}
	r->at[COLUMN_POINTS] += *more * (size_t)(n->end.points - n->begin.points);
	r->at[COLUMN_ITERATIONS] += *more * n->count;
	return NULL;
}

const char *columns_reader_events(struct columns_reader *r, uint32_t items, const uint64_t *first,
                                  struct event *events)
{
	struct columns_reader local = *r; /* in registers, which *r cannot be */
	struct item_numbers n = { .last = place_of(r->end) };
	const char *fault = NULL;

	for (uint32_t item = 0, more = 0; item < items && !fault; item += 1 + more) {
		struct event *own = events + first[item];
		bool is_moved;

		n.begin = place_of(local.at);
		n.count = first[item + 1] - first[item];
		local.model->item++;
		fault = get_item(&local, n.count, own);
		n.end = place_of(local.at);
		more = 0;
		if (!fault && n.count && item + 1 < items)
			more = count_more(local.model, &n, first + item + 1, items - item - 1, own,
			                  &is_moved);
		if (!more)
			continue;
		*r = local;
		fault = get_more(r, &n, is_moved, own, &more);
		local = *r;
	}
	*r = local;
	return fault;
}

const char *columns_reader_end(const struct columns_reader *r)
{
	for (size_t c = COLUMN_COUNTS; c < COLUMN_VALUES1; c++)
		if (r->at[c] != r->end[c])
			return "bytes are left over in a column";
	for (size_t c = 0; c < 4; c++)
		if (r->values[c].next != r->values[c].count)
			return "values are left over in a column";
	return NULL;
}
