/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_columns.h"

#include "err.h"
#include "launch_model.h"
#include "varint.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define STRETCH_EVENTS 4096u /* events between two looks at the room that is left */

int column_reserve(struct column *c, size_t bytes, struct err *err)
{
	size_t capacity = c->capacity ? c->capacity : 65536;
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

/* A point as a number that is small when its id is: the kind goes below the id. */
static inline uint32_t point_code(uint32_t point)
{
	return point << 3 | point >> 29;
}

static inline uint32_t code_point(uint32_t code)
{
	return code >> 3 | code << 29;
}

/* Where an event that is no access, barrier or fence keeps its value in the model: the value
 * expected, and what follows from the one that came. */
static uint64_t rare_ask(const struct launch_model *m, uint32_t point)
{
	uint32_t id = point & EVENT_ID_MASK;

	if ((point & EVENT_KIND_MASK) == EVENT_SIZE)
		return m->sites[id].size;
	if ((point & EVENT_KIND_MASK) == EVENT_EPOCH)
		return ((model_loop_at(m, id + 1)->iteration >> 32) + 1) << 32;
	return model_loop_ask(model_loop_at(m, m->loops[id + 1].parent), m->loops[id + 1].entry);
}

static void rare_tell(struct launch_model *m, uint32_t point, uint64_t value)
{
	uint32_t id = point & EVENT_ID_MASK;

	if ((point & EVENT_KIND_MASK) == EVENT_SIZE) {
		m->sites[id].size = value;
	} else if ((point & EVENT_KIND_MASK) == EVENT_EPOCH) {
		model_loop_tell(model_loop_at(m, id + 1), 0, value);
	} else {
		model_loop_tell(model_loop_at(m, m->loops[id + 1].parent), m->loops[id + 1].entry,
		                value);
		model_loop_tell(model_loop_at(m, id + 1), 0, 0);
	}
}

/* The iteration whose low 32 bits are `low`: the high ones stay. */
static inline uint64_t iteration_of(const struct model_loop *l, uint32_t low)
{
	return (l->iteration >> 32 << 32) | low;
}

/* Where the next numbers of an event go. */
struct cursors {
	unsigned char *points, *iterations, *lengths, *values;
};

/* A value's difference as a length and that many bytes. Eight are written whatever the length. */
static inline void put_value(struct cursors *to, uint64_t difference)
{
	uint64_t code = zigzag64(difference);
	unsigned length = code ? (71 - (unsigned)__builtin_clzll(code)) / 8 : 0;

	code = htole64(code);
	memcpy(to->values, &code, sizeof(code));
	to->values += length;
	*to->lengths++ = (unsigned char)length;
}

static inline void put_event(struct cursors *to, struct launch_model *m, const struct event *e)
{
	uint32_t id = e->point & EVENT_ID_MASK;

	to->points = varint_put(to->points, point_code(e->point));
	if ((e->point & EVENT_KIND_MASK) == EVENT_SITE) {
		struct model_site *s = &m->sites[id];
		struct model_loop *l = model_loop_at(m, s->loop);
		uint32_t position = model_site_position(id);
		uint32_t low = (uint32_t)model_loop_ask(l, position);
		uint64_t iteration = iteration_of(l, e->iteration);

		to->iterations = varint_put(to->iterations, zigzag32(e->iteration - low));
		put_value(to, e->value - model_site_ask(m, s, iteration));
		model_loop_tell(l, position, iteration);
		model_site_tell(m, s, iteration, e->value);
	} else {
		to->iterations = varint_put(to->iterations, zigzag32(e->iteration));
		put_value(to, e->value - rare_ask(m, e->point));
		rare_tell(m, e->point, e->value);
	}
}

/* At most STRETCH_EVENTS events of one work-item. */
static int put_stretch(struct column columns[COLUMN_COUNT], struct launch_model *m,
                       const struct event *events, uint64_t count, struct err *err)
{
	struct column *points = &columns[COLUMN_POINTS], *values = &columns[COLUMN_VALUES];
	struct column *iterations = &columns[COLUMN_ITERATIONS];
	struct column *lengths = &columns[COLUMN_LENGTHS];
	struct cursors to;

	if (column_reserve(points, count * VARINT_BYTES_MAX32, err) ||
	    column_reserve(iterations, count * VARINT_BYTES_MAX32, err) ||
	    column_reserve(lengths, count, err) ||
	    column_reserve(values, count * LAUNCH_VALUE_BYTES_MAX + COLUMN_SLACK_BYTES, err))
		return ERR_NOMEM;
	to = (struct cursors){ points->bytes + points->used, iterations->bytes + iterations->used,
		               lengths->bytes + lengths->used, values->bytes + values->used };
	for (uint64_t i = 0; i < count; i++)
		put_event(&to, m, &events[i]);
	points->used = (size_t)(to.points - points->bytes);
	iterations->used = (size_t)(to.iterations - iterations->bytes);
	lengths->used = (size_t)(to.lengths - lengths->bytes);
	values->used = (size_t)(to.values - values->bytes);
	return 0;
}

int launch_columns_add(struct column columns[COLUMN_COUNT], struct launch_model *m,
                       const struct group_events *g, uint64_t *previous_count, struct err *err)
{
	struct column *counts = &columns[COLUMN_COUNTS];

	if (column_reserve(counts, (size_t)g->item_count * VARINT_BYTES_MAX, err))
		return ERR_NOMEM;
	for (uint32_t item = 0; item < g->item_count; item++) {
		uint64_t at = g->first[item], end = g->first[item + 1];
		unsigned char *next = varint_put(counts->bytes + counts->used,
		                                 zigzag64(end - at - *previous_count));

		counts->used = (size_t)(next - counts->bytes);
		*previous_count = end - at;
		m->item++;
		while (at < end) {
			uint64_t count = end - at < STRETCH_EVENTS ? end - at : STRETCH_EVENTS;

			if (put_stretch(columns, m, g->events + at, count, err))
				return ERR_NOMEM;
			at += count;
		}
	}
	return 0;
}

void columns_reader_begin(struct columns_reader *r, struct launch_model *m,
                          const struct column columns[COLUMN_COUNT])
{
	r->model = m;
	r->previous_count = 0;
	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		r->at[c] = columns[c].bytes;
		r->end[c] = columns[c].bytes + columns[c].used;
	}
	launch_model_begin(m);
}

/* Where the events of each work-item begin. They are at most `limit`. */
static const char *get_counts(struct columns_reader *r, uint32_t items, uint64_t limit,
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

/* What the columns say of one event. */
struct codes {
	uint32_t point;
	uint32_t iteration; /* difference */
	uint64_t value;     /* difference */
};

static inline bool get_value(struct columns_reader *r, uint64_t *difference)
{
	static const uint64_t masks[] = {
		0,          0xff,         0xffff,         0xffffff,
		0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
		UINT64_MAX
	};
	const unsigned char *lengths = r->at[COLUMN_LENGTHS], *values = r->at[COLUMN_VALUES];
	uint64_t code;
	unsigned length;

	if (lengths >= r->end[COLUMN_LENGTHS])
		return false;
	length = *lengths;
	if (length > LAUNCH_VALUE_BYTES_MAX || length > (size_t)(r->end[COLUMN_VALUES] - values))
		return false;
	memcpy(&code, values, sizeof(code)); /* the column has slack behind it */
	r->at[COLUMN_LENGTHS] = lengths + 1;
	r->at[COLUMN_VALUES] = values + length;
	*difference = unzigzag64(le64toh(code) & masks[length]);
	return true;
}

/* False when a column ran out or a number is too large. */
static inline bool get_codes(struct columns_reader *r, struct codes *c)
{
	const unsigned char *points = r->at[COLUMN_POINTS], *iterations = r->at[COLUMN_ITERATIONS];
	uint64_t point = 0, iteration = 0;

	if (points >= r->end[COLUMN_POINTS] || iterations >= r->end[COLUMN_ITERATIONS])
		return false;
	r->at[COLUMN_POINTS] = points = varint_get(points, &point);
	r->at[COLUMN_ITERATIONS] = iterations = varint_get(iterations, &iteration);
	if (!points || !iterations || (point | iteration) >> 32)
		return false;
	c->point = code_point((uint32_t)point);
	c->iteration = unzigzag32((uint32_t)iteration);
	return get_value(r, &c->value);
}

static inline bool is_of_table(const struct launch_model *m, uint32_t point)
{
	uint32_t kind = point & EVENT_KIND_MASK, id = point & EVENT_ID_MASK;

	return kind <= EVENT_SIZE &&
	       id < (kind == EVENT_SITE || kind == EVENT_SIZE ? m->site_count : m->loop_count);
}

static inline const char *get_event(struct columns_reader *r, struct event *e)
{
	struct launch_model *m = r->model;
	struct codes c;

	if (!get_codes(r, &c))
		return "columns points, iterations, lengths and values: expected a number for "
		       "each event";
	if (!is_of_table(m, c.point))
		return "column points: a site or loop that the kernel does not have";
	if ((c.point & EVENT_KIND_MASK) == EVENT_SITE) {
		struct model_site *s = &m->sites[c.point];
		struct model_loop *l = model_loop_at(m, s->loop);
		uint32_t position = model_site_position(c.point);
		uint64_t iteration;

		c.iteration += (uint32_t)model_loop_ask(l, position);
		iteration = iteration_of(l, c.iteration);
		c.value += model_site_ask(m, s, iteration);
		model_loop_tell(l, position, iteration);
		model_site_tell(m, s, iteration, c.value);
	} else {
		c.value += rare_ask(m, c.point);
		rare_tell(m, c.point, c.value);
	}
	*e = (struct event){ .value = c.value, .point = c.point, .iteration = c.iteration };
	return NULL;
}

const char *columns_reader_group(struct columns_reader *r, uint32_t items, uint64_t limit,
                                 uint64_t *first, struct event *events)
{
	const char *fault = get_counts(r, items, limit, first);
	struct columns_reader local = *r; /* in registers, which *r cannot be */

	for (uint32_t item = 0; item < items && !fault; item++) {
		local.model->item++;
		for (uint64_t i = first[item]; i < first[item + 1] && !fault; i++)
			fault = get_event(&local, &events[i]);
	}
	*r = local;
	return fault;
}

const char *columns_reader_end(const struct columns_reader *r)
{
	for (size_t c = COLUMN_COUNTS; c < COLUMN_COUNT; c++)
		if (r->at[c] != r->end[c])
			return "bytes are left over in a column";
	return NULL;
}
