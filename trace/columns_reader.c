/* SPDX-License-Identifier: Apache-2.0 */
#include "columns_reader.h"

#include "kernel_table.h"
#include "launch_columns.h"
#include "launch_model.h"
#include "launch_pack.h"
#include "packed_run.h"
#include "site_guide.h"
#include "varint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * alike_items - work-items that visit the same sites as the previous one, in the same iterations,
 * at addresses some of which are new: the columns have only the new values (private to trace/). The
 * result is that of columns_reader, event by event. Here everything that is the same from work-item
 * to work-item is outside the loop, and differences are read from planes many at a time.
 */

/* The work-items after one whose events were read. */
struct alike_items {
	struct event *before; /* its events, all of sites and none of a guessed iteration; the
	                         others follow */
	uint64_t count;       /* how many it has, > 0 */
	uint32_t items;       /* after it, with the same numbers in points and iterations */
	uint32_t got;         /* of these, read */
};

/*
 * Why the iterations are those of the previous work-item: the state of loops is fresh in every
 * work-item, and if all iterations were predicted it follows from the sites alone. For the same
 * reason it need not be updated: it is not used after the work-item.
 */

enum { DIFFERENCES = 64, WIDTHS = 4 };

/* The next differences of one width, taken from its column. */
struct differences {
	uint32_t count, next;
	uint64_t value[DIFFERENCES];
};

/* Take the next differences of a width; false if there are none. */
static bool take(struct values_reader *v, size_t width, struct differences *d)
{
	const unsigned char *planes = v->planes + v->next;
	size_t left = v->count - v->next;
	uint32_t count = left < DIFFERENCES ? (uint32_t)left : DIFFERENCES;

	for (uint32_t i = 0; i < count; i++)
		d->value[i] = planes[i];
	for (size_t k = 1; k < width; k++)
		for (uint32_t i = 0; i < count; i++)
			d->value[i] |= (uint64_t)planes[k * v->count + i] << 8 * k;
	for (uint32_t i = 0; i < count; i++)
		d->value[i] = unzigzag64(d->value[i]);
	d->count = count;
	d->next = 0;
	v->next += count;
	return count;
}

/* Get the difference of an event whose width has the code `code`. */
static inline bool get_difference(struct columns_reader *r, struct differences d[WIDTHS],
                                  unsigned code, uint64_t *out)
{
	*out = 0;
	if (!code)
		return true;
	if (code > WIDTHS)
		return false;
	d += code - 1;
	if (d->next == d->count && !take(&r->values[code - 1], (size_t)1 << (code - 1), d))
		return false;
	*out = d->value[d->next++];
	return true;
}

/* Return the unused differences to the columns. */
static void give_back(struct columns_reader *r, const struct differences d[WIDTHS])
{
	for (size_t w = 0; w < WIDTHS; w++)
		r->values[w].next -= d[w].count - d[w].next;
}

/* Whether all values of a work-item were predicted. */
static bool is_foreseen(const unsigned char *widths, uint64_t count)
{
	uint64_t i = 0;

	while (i < count && !widths[i])
		i++;
	return i == count;
}

/* Returns the value of an event, `difference` beyond the predicted one, and updates the model. */
static inline uint64_t restore_value(struct launch_model *m, struct model_site *s,
                                     uint64_t iteration, uint64_t difference)
{
	uint64_t value;

	if (s->guide != MODEL_GUIDE_OWN) {
		value = model_guided_predict(m, s, iteration) + difference;
		model_guided_update(m, s, iteration, value, !difference);
	} else {
		value = model_track_predict(&s->track, m->item, iteration) + difference;
		model_track_update(&s->track, m->item, iteration, value, !difference);
	}
	return value;
}

/* Read a work-item: that at `before` plus the differences of the columns. */
static bool next_alike(struct columns_reader *r, struct differences d[WIDTHS],
                       const struct event *before, uint64_t count, struct event *to)
{
	const unsigned char *widths = r->at[COLUMN_WIDTHS];
	struct launch_model *m = r->model;
	uint64_t difference;

	m->item++;
	for (uint64_t i = 0; i < count; i++) {
		struct event e = before[i];

		if (!get_difference(r, d, widths[i], &difference))
			return false;
		e.value = restore_value(m, &m->sites[e.point], e.iteration, difference);
		to[i] = e;
	}
	r->at[COLUMN_WIDTHS] += count;
	return true;
}

/* Whether other work-items may be like these events, whose iterations were all predicted. */
static bool alike_items_are_likely(const struct launch_model *m, const struct event *events,
                                   uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (events[i].point >= m->site_count)
			return false;
	return true;
}

/*
 * Read the values of these work-items, up to one whose numbers were all predicted, and update the
 * model. Of r->at only the widths advance. False if there are fewer values than events, or an
 * invalid width.
 */
static bool alike_items_get(struct columns_reader *r, struct alike_items *a)
{
	struct differences d[WIDTHS];
	struct event *to = a->before;

	for (size_t w = 0; w < WIDTHS; w++)
		d[w].count = d[w].next = 0;
	for (a->got = 0; a->got < a->items; a->got++) {
		size_t left = (size_t)(r->end[COLUMN_WIDTHS] - r->at[COLUMN_WIDTHS]);

		if (left < a->count)
			return false;
		if (is_foreseen(r->at[COLUMN_WIDTHS], a->count))
			break;
		to += a->count;
		if (!next_alike(r, d, a->before, a->count, to))
			return false;
	}
	give_back(r, d);
	return true;
}

/*
 * item_numbers - the numbers of a work-item in the columns that have one for each event, and the
 * following work-items with the same numbers (private to trace/). It compares bytes, and knows of
 * their meaning only that 0 is a correct prediction.
 */

/* A place in the columns that have a number for each event. */
struct columns_place {
	const unsigned char *points, *iterations, *widths;
};

/* The numbers of a work-item with `count` events, and the ends of the columns. */
struct item_numbers {
	struct columns_place begin, end, last;
	size_t count;
};

/* Whether `count` bytes from `at` on equal those `distance` before them. */
static bool are_same(const unsigned char *at, size_t distance, size_t count)
{
	const unsigned char *earlier = at - distance;
	uint64_t word, before, differs = 0;
	size_t i = 0;

	for (; count - i >= sizeof(word) && !differs; i += sizeof(word)) {
		memcpy(&word, at + i, sizeof(word));
		memcpy(&before, earlier + i, sizeof(before));
		differs = word ^ before;
	}
	for (; i < count; i++)
		differs |= (uint64_t)(at[i] ^ earlier[i]);
	return !differs;
}

/* Whether all are 0. */
static bool are_zero(const unsigned char *at, size_t count)
{
	return !*at && are_same(at + 1, 1, count - 1);
}

static bool item_numbers_has_iterations(const struct item_numbers *n)
{
	return (size_t)(n->end.iterations - n->begin.iterations) == n->count &&
	       are_zero(n->begin.iterations, n->count);
}

/* Whether all numbers of the work-item, which has at least one event, were predicted; whether those
 * of the iterations were. */
static bool item_numbers_were_foreseen(const struct item_numbers *n)
{
	return (size_t)(n->end.widths - n->begin.widths) == n->count &&
	       are_zero(n->begin.widths, n->count) && item_numbers_has_iterations(n);
}

/* Whether, after `skipped` more work-items, `items` follow with the same points and iterations. */
static bool go_on(const struct item_numbers *n, size_t skipped, size_t items)
{
	size_t points = (size_t)(n->end.points - n->begin.points);
	size_t all = skipped + items;

	return all * points <= (size_t)(n->last.points - n->end.points) &&
	       all * n->count <= (size_t)(n->last.iterations - n->end.iterations) &&
	       are_same(n->end.points + skipped * points, points, items * points) &&
	       are_zero(n->end.iterations + skipped * n->count, items * n->count);
}

/* Whether all values of such work-items were predicted. */
static bool go_on_foreseen(const struct item_numbers *n, size_t skipped, size_t items)
{
	return (skipped + items) * n->count <= (size_t)(n->last.widths - n->end.widths) &&
	       are_zero(n->end.widths + skipped * n->count, items * n->count);
}

static bool have_same_counts(const uint64_t *first, uint64_t count, size_t items)
{
	for (size_t i = 0; i < items; i++)
		if (first[i + 1] - first[i] != count)
			return false;
	return true;
}

/* Returns how many follow in this way, with or without their values. */
static size_t count(const struct item_numbers *n, const uint64_t *first, size_t items,
                    bool with_values)
{
	size_t found = 0, step = 1;

	while (step && found < items) {
		if (step > items - found)
			step = items - found;
		if (have_same_counts(first + found, n->count, step) && go_on(n, found, step) &&
		    (!with_values || go_on_foreseen(n, found, step))) {
			found += step;
			step *= 2;
		} else {
			step /= 2;
		}
	}
	return found;
}

/*
 * Returns how many of the `items` work-items after the one with these numbers have the same
 * numbers, and so are moved copies of it (launch_columns.h); `first` is where the first of them
 * begins. Examines about twice as many as it finds.
 */
static size_t item_numbers_count_same(const struct item_numbers *n, const uint64_t *first,
                                      size_t items)
{
	return count(n, first, items, true);
}

/* Returns how many have the same points and iterations, which were predicted. */
static size_t item_numbers_count_alike(const struct item_numbers *n, const uint64_t *first,
                                       size_t items)
{
	return count(n, first, items, false);
}

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

/* Get the value of a site with a guide, whose iteration was read. */
static inline bool get_guided(struct columns_reader *r, uint32_t site, uint64_t iteration,
                              struct event *e)
{
	struct launch_model *m = r->model;
	struct model_site *s = &m->sites[site];
	uint64_t predicted = model_guided_predict(m, s, iteration), value = predicted;

	if (!get_value(r, &value))
		return false;
	model_loop_step(model_loop_at(m, s->loop), loop_places_of_site(site), (uint32_t)iteration);
	model_guided_update(m, s, iteration, value, value == predicted);
	*e = (struct event){ .value = value, .point = site, .iteration = (uint32_t)iteration };
	return true;
}

static inline bool get_site(struct columns_reader *r, uint32_t site, struct event *e)
{
	struct launch_model *m = r->model;
	struct model_site *s = &m->sites[site];
	struct model_loop *l = model_loop_at(m, s->loop);
	uint32_t position = loop_places_of_site(site);
	uint32_t low = (uint32_t)model_loop_predict(l, position);
	uint64_t iteration, value, predicted;

	if (!get_number(r, &low))
		return false;
	iteration = (uint64_t)l->high << 32 | low;
	if (s->guide != MODEL_GUIDE_OWN)
		return get_guided(r, site, iteration, e);
	predicted = value = model_track_predict(&s->track, m->item, iteration);
	if (!get_value(r, &value))
		return false;
	model_loop_step(l, position, low);
	model_track_update(&s->track, m->item, iteration, value, value == predicted);
	*e = (struct event){ .value = value, .point = site, .iteration = low };
	return true;
}

/* Not inlined, so that the reader can be in registers while it reads only sites. */
static bool get_run(struct columns_reader *r, struct packed_run *run)
{
	struct model_run *was = &r->model->runs[run->site];
	uint64_t step = model_run_step(r->model, run->site, run->is_grid);
	uint64_t zero, predicted;

	if (!get_number(r, &was->count))
		return false;
	if (run->is_grid && (!get_number(r, &was->rows) || !get_value(r, &was->row_stride)))
		return false;
	if (!get_value(r, &was->first) || !get_value(r, &was->stride))
		return false;
	predicted = zero = model_track_predict(&was->track, r->model->item, step);
	if (!get_value(r, &zero))
		return false;
	model_track_update(&was->track, r->model->item, step, zero, zero == predicted);
	run->count = was->count;
	run->rows = run->is_grid ? was->rows : 0;
	run->first = was->first;
	run->stride = was->stride;
	run->row_stride = run->is_grid ? was->row_stride : 0;
	run->address = zero + (run->is_grid ? run->row_stride : run->stride) * run->first;
	return true;
}

/* Get one event that is not of a site, or a run or grid with its parts; *count becomes the number
 * of events. */
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
		value = model_rare_predict(m, point);
		if (!get_number(r, &iteration) || !get_value(r, &value))
			return no_number;
		model_rare_update(m, point, value);
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

/* Returns how many events of the same site follow `before`, each in the next iteration: at most
 * `left`, and 0 if they are few. */
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
 * Get the `count` events after *before as get_site() does, with everything that is the same outside
 * the loop. Returns how many. Stops before anything wrong, which get_site() will report.
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
		uint64_t predicted = next.last + next.stride, value = predicted;

		if (!get_value(&local, &value)) {
			local.at[COLUMN_WIDTHS] = widths;
			break;
		}
		e.value = value;
		e.iteration++;
		*++before = e;
		model_stream_update(&next, next.step + 1, value, value == predicted);
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

/* Get the events of a work-item, one by one. */
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

/* Returns how many of the `items` work-items after the one that was read differ from it only by
 * their strides (*is_moved), or only in their values. */
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

/* Get these work-items, or as many as are alike. */
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
