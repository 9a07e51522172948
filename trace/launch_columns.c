/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_columns.h"

#include "err.h"
#include "kernel_table.h"
#include "launch_model.h"
#include "packed_run.h"
#include "site_guide.h"
#include "varint.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/*
 * Why the model predicts a moved work-item: the first access of each site is predicted by the
 * stride from item to item, the others by the stride within an item from the first one on, which
 * moved in the same way; and no stride changes if everything is predicted correctly.
 */

/* Work-items need at least LEAST_EVENTS events for this, and at most as many points as fit here. */
#define LEAST_EVENTS 1
#define MOST_EVENTS  256
/* Compared at once: a few vectors. */
#define EVENTS_AT_ONCE 16

/* Whether a work-item's events are those of the previous one, moved. */
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
 * The differences of an event from that of the previous work-item, as two numbers: bytes of the
 * value, and 0 if point and iteration are equal. Stored for several work-items in a row, so that a
 * vector takes several.
 */
struct moved_ways {
	uint64_t numbers[2 * (MOST_EVENTS + EVENTS_AT_ONCE)];
	uint32_t items; /* work-items that they are for */
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

/* Whether the events of w->items work-items are each those of the previous work-item, moved. */
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

/*
 * Returns how many work-items after `item` are moved copies of it. The model knows `item` and
 * predicted everything in it, so it would predict these too. Examines few events if there are none.
 */
static uint32_t count_moved(const struct launch_model *m, const struct group_events *g,
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

/* Update the model, as if one by one, with `count` work-items that are `events` moved. */
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

/* Append the same bytes `count` times. */
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

/* Append `items` moved work-items, and update the model. Returns 0 or ERR_NOMEM. */
static int append_moved(struct column columns[COLUMN_COUNT], struct launch_model *m,
                        const struct group_events *g, uint32_t item, uint32_t count,
                        struct err *err)
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

#define SPAN_NUMBERS ((size_t)512)

int column_reserve(struct column *c, size_t bytes, struct err *err)
{
	size_t capacity = c->capacity ? c->capacity : 1024;
	unsigned char *grown;

	if (bytes <= c->capacity - c->used)
		return 0;
	while (capacity - c->used < bytes)
		capacity *= 2; /* a column is below 2^32 bytes */
	grown = realloc(c->bytes, capacity);
	if (!grown)
		return err_set(err, ERR_NOMEM, "out of memory for a column of %zu bytes", capacity);
	c->bytes = grown;
	c->capacity = capacity;
	return 0;
}

void column_release(struct column *c)
{
	free(c->bytes);
	*c = (struct column){ 0 };
}

/* Where the next numbers of an event go. */
struct cursors {
	unsigned char *points, *iterations, *widths;
	unsigned char *values[4];
};

/* The numbers of some events, as stored in the columns. Collected first, because the model and the
 * columns are each faster without the other. */
struct span {
	size_t point_count, iteration_count, value_count;
	uint32_t points[SPAN_NUMBERS];
	uint32_t iterations[SPAN_NUMBERS];
	uint64_t values[SPAN_NUMBERS];
	unsigned char least[SPAN_NUMBERS]; /* least width of a value */
};

static void span_clear(struct span *s)
{
	s->point_count = s->iteration_count = s->value_count = 0;
	memset(s->least, 0, sizeof(s->least));
}

static inline unsigned char *put_numbers(unsigned char *to, const uint32_t *numbers, size_t count)
{
	uint32_t all = 0;

	for (size_t i = 0; i < count; i++)
		all |= numbers[i];
	for (size_t i = 0; i < count && all < 0x80; i++)
		to[i] = (unsigned char)numbers[i]; /* a separate loop, to be vectorised */
	if (all < 0x80)
		return to + count;
	for (size_t i = 0; i < count; i++)
		to = varint_put(to, numbers[i]);
	return to;
}

/* Write a value's code, as the code of its width, at least `least`, and that many bytes. Writes
 * eight bytes. */
static inline void put_value(struct cursors *to, uint64_t code, unsigned least)
{
	uint64_t bytes = htole64(code);
	unsigned width = 0;

	if (code) {
		width = 1u + (code > 0xff) + (code > 0xffff) + (code > 0xffffffff);
		width = width < least ? least : width;
		memcpy(to->values[width - 1], &bytes, sizeof(bytes));
		to->values[width - 1] += 1u << (width - 1);
	}
	*to->widths++ = (unsigned char)width;
}

static void put_values(struct cursors *to, const uint64_t *codes, const unsigned char *least,
                       size_t count)
{
	struct cursors local = *to; /* can be in registers, unlike *to */
	uint64_t all = 0;

	for (size_t i = 0; i < count; i++)
		all |= codes[i];
	if (all) {
		for (size_t i = 0; i < count; i++)
			put_value(&local, codes[i], least[i]);
	} else {
		memset(local.widths, 0, count);
		local.widths += count;
	}
	*to = local;
}

/* The next three numbers of a span. */
struct span_end {
	uint32_t *point, *iteration;
	uint64_t *value;
	const uint64_t *values; /* first of the span */
	unsigned char *least;   /* one for each value */
};

static inline void take_site(struct span_end *to, const struct launch_model *m,
                             const struct event *e)
{
	uint32_t site = e->point;
	struct model_site *s = &m->sites[site];
	struct model_loop *l = model_loop_at(m, s->loop);
	uint32_t position = loop_places_of_site(site);
	uint32_t passed = e->iteration - (uint32_t)model_loop_predict(l, position);
	uint64_t iteration = (uint64_t)l->high << 32 | e->iteration;
	uint64_t difference;

	model_loop_step(l, position, e->iteration);
	if (s->guide == MODEL_GUIDE_OWN) {
		difference = e->value - model_track_predict(&s->track, m->item, iteration);
		model_track_update(&s->track, m->item, iteration, e->value, !difference);
	} else {
		difference = e->value - model_guided_predict(m, s, iteration);
		model_guided_update(m, s, iteration, e->value, !difference);
		to->least[to->value - to->values] = s->least_width;
	}
	*to->point++ = point_code(site);
	*to->iteration++ = zigzag32(passed);
	*to->value++ = zigzag64(difference);
}

static void take_rare(struct span_end *to, struct launch_model *m, const struct event *e)
{
	*to->point++ = point_code(e->point);
	*to->iteration++ = zigzag32(e->iteration);
	*to->value++ = zigzag64(e->value - model_rare_predict(m, e->point));
	model_rare_update(m, e->point, e->value);
}

static void take_run(struct span_end *to, struct launch_model *m, const struct packed_run *r)
{
	struct model_run *was = &m->runs[r->site];
	uint64_t step = model_run_step(m, r->site, r->is_grid);
	uint64_t zero = r->address - (r->is_grid ? r->row_stride : r->stride) * r->first;
	uint64_t difference = zero - model_track_predict(&was->track, m->item, step);

	*to->point++ = point_code((r->is_grid ? EVENT_GRID : EVENT_RUN) | r->site);
	*to->iteration++ = zigzag32(r->count - was->count);
	was->count = r->count;
	if (r->is_grid) {
		*to->iteration++ = zigzag32(r->rows - was->rows);
		*to->value++ = zigzag64(r->row_stride - was->row_stride);
		was->rows = r->rows;
		was->row_stride = r->row_stride;
	}
	*to->value++ = zigzag64(r->first - was->first);
	*to->value++ = zigzag64(r->stride - was->stride);
	*to->value++ = zigzag64(difference);
	was->first = r->first;
	was->stride = r->stride;
	model_track_update(&was->track, m->item, step, zero, !difference);
}

/* Take anything but the event of a site. Returns how many events it has. */
static uint32_t take_other(struct span_end *to, struct launch_model *m, const struct event *e,
                           uint64_t left)
{
	struct packed_run run;
	uint32_t count = packed_run_get(&run, e, left);

	if (!count) {
		take_rare(to, m, e);
		return 1;
	}
	take_run(to, m, &run);
	return count;
}

/* Take events, of `count`, into a span until it is nearly full or they end. Returns their number.
 */
static uint64_t take(struct span *to, struct launch_model *m, const struct event *events,
                     uint64_t count)
{
	const struct launch_model model = *m;
	const uint64_t *limit = to->values + SPAN_NUMBERS - PACKED_RUN_EVENTS_MAX;
	struct span_end end = { to->points + to->point_count, to->iterations + to->iteration_count,
		                to->values + to->value_count, to->values, to->least };
	uint64_t i = 0;

	while (i < count && end.value <= limit) {
		if ((events[i].point & EVENT_KIND_MASK) == EVENT_SITE) {
			take_site(&end, &model, &events[i++]);
		} else {
			struct span_end shared = end; /* so that `end` can be in registers */

			i += take_other(&shared, m, events + i, count - i);
			end = shared;
		}
	}
	to->point_count = (size_t)(end.point - to->points);
	to->iteration_count = (size_t)(end.iteration - to->iterations);
	to->value_count = (size_t)(end.value - to->values);
	return i;
}

/* Make room for another span. */
static int reserve(struct column columns[COLUMN_COUNT], struct err *err)
{
	if (column_reserve(&columns[COLUMN_POINTS], SPAN_NUMBERS * VARINT_BYTES_MAX32, err) ||
	    column_reserve(&columns[COLUMN_ITERATIONS], SPAN_NUMBERS * VARINT_BYTES_MAX32, err) ||
	    column_reserve(&columns[COLUMN_WIDTHS], SPAN_NUMBERS, err))
		return ERR_NOMEM;
	for (size_t c = COLUMN_VALUES1; c < COLUMN_COUNT; c++)
		if (column_reserve(&columns[c], SPAN_NUMBERS * column_width(c) + COLUMN_SLACK_BYTES,
		                   err))
			return ERR_NOMEM;
	return 0;
}

static unsigned char *column_end(const struct column *c)
{
	return c->bytes + c->used;
}

static struct cursors begin(const struct column columns[COLUMN_COUNT])
{
	struct cursors to = { .points = column_end(&columns[COLUMN_POINTS]),
		              .iterations = column_end(&columns[COLUMN_ITERATIONS]),
		              .widths = column_end(&columns[COLUMN_WIDTHS]) };

	for (size_t i = 0; i < 4; i++)
		to.values[i] = column_end(&columns[COLUMN_VALUES1 + i]);
	return to;
}

static void end(struct column columns[COLUMN_COUNT], const struct cursors *to)
{
	columns[COLUMN_POINTS].used = (size_t)(to->points - columns[COLUMN_POINTS].bytes);
	columns[COLUMN_ITERATIONS].used =
		(size_t)(to->iterations - columns[COLUMN_ITERATIONS].bytes);
	columns[COLUMN_WIDTHS].used = (size_t)(to->widths - columns[COLUMN_WIDTHS].bytes);
	for (size_t i = 0; i < 4; i++) {
		struct column *c = &columns[COLUMN_VALUES1 + i];

		c->used = (size_t)(to->values[i] - c->bytes);
	}
}

/* Write a span, and begin the next. */
static int flush(struct column columns[COLUMN_COUNT], struct span *s, struct err *err)
{
	struct cursors to;

	if (reserve(columns, err))
		return ERR_NOMEM;
	to = begin(columns);
	to.points = put_numbers(to.points, s->points, s->point_count);
	to.iterations = put_numbers(to.iterations, s->iterations, s->iteration_count);
	put_values(&to, s->values, s->least, s->value_count);
	end(columns, &to);
	span_clear(s);
	return 0;
}

/* Append one work-item to the span. */
static int add_item(struct column columns[COLUMN_COUNT], struct launch_model *m, struct span *span,
                    const struct event *events, uint64_t count, struct err *err)
{
	uint64_t i = 0;

	m->item++;
	while ((i += take(span, m, events + i, count - i)) < count)
		if (flush(columns, span, err))
			return ERR_NOMEM;
	return 0;
}

/* Whether all numbers of the span from these on were predicted. */
static bool was_foreseen(const struct span *s, size_t iteration, size_t value)
{
	uint64_t all = 0;

	for (size_t i = iteration; i < s->iteration_count; i++)
		all |= s->iterations[i];
	for (size_t i = value; i < s->value_count; i++)
		all |= s->values[i];
	return !all;
}

/* Add the work-items after `item` that are moved copies of it, if it is whole in the span. Returns
 * their number, or ERR_NOMEM. */
static int64_t add_moved(struct column columns[COLUMN_COUNT], struct launch_model *m,
                         struct span *span, const struct group_events *g, uint32_t item,
                         struct err *err)
{
	uint64_t events = g->first[item + 1] - g->first[item];
	bool is_whole = events <= span->value_count && events <= span->iteration_count;
	uint32_t count;

	if (!is_whole ||
	    !was_foreseen(span, span->iteration_count - events, span->value_count - events))
		return 0;
	count = count_moved(m, g, item);
	if (count && (flush(columns, span, err) || append_moved(columns, m, g, item, count, err)))
		return ERR_NOMEM;
	return count;
}

int launch_columns_add(struct column columns[COLUMN_COUNT], struct launch_model *m,
                       const struct group_events *g, uint64_t *previous_count, struct err *err)
{
	struct column *counts = &columns[COLUMN_COUNTS];
	struct span span;
	int64_t moved = 0;

	span_clear(&span);
	if (column_reserve(counts, (size_t)g->item_count * VARINT_BYTES_MAX, err))
		return ERR_NOMEM;
	for (uint32_t item = 0; item < g->item_count; item += 1 + (uint32_t)moved) {
		uint64_t at = g->first[item], count = g->first[item + 1] - at;
		unsigned char *next =
			varint_put(counts->bytes + counts->used, zigzag64(count - *previous_count));

		counts->used = (size_t)(next - counts->bytes);
		*previous_count = count;
		if (add_item(columns, m, &span, g->events + at, count, err))
			return ERR_NOMEM;
		moved = add_moved(columns, m, &span, g, item, err);
		if (moved < 0)
			return ERR_NOMEM;
	}
	return flush(columns, &span, err);
}
