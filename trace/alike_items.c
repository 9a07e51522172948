/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why the iterations are those of the work-item before: a loop's state is fresh in every work-item,
 * and where all iterations come as foreseen it follows from the sites alone. For the same reason it
 * need not be told: nobody asks for it behind the work-item.
 */
#include "alike_items.h"

#include "byte_planes.h"
#include "launch_model.h"
#include "model_guide.h"
#include "varint.h"

enum { DIFFERENCES = 64, WIDTHS = 4 };

/* Differences of one width that come next, taken from its column. */
struct differences {
	uint32_t count, next;
	uint64_t value[DIFFERENCES];
};

/* Take the next ones of a width; false when there are none. */
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

/* The difference of an event, whose width has the code `code`. */
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

/* Those that nobody has used stay in the columns. */
static void give_back(struct columns_reader *r, const struct differences d[WIDTHS])
{
	for (size_t w = 0; w < WIDTHS; w++)
		r->values[w].next -= d[w].count - d[w].next;
}

/* Whether all values of a work-item were foreseen. */
static bool is_foreseen(const unsigned char *widths, uint64_t count)
{
	uint64_t i = 0;

	while (i < count && !widths[i])
		i++;
	return i == count;
}

/* The value of an event: `difference` beyond what was asked for. */
static inline uint64_t tell(struct launch_model *m, struct model_site *s, uint64_t iteration,
                            uint64_t difference)
{
	uint64_t value;

	if (s->guide != MODEL_GUIDE_OWN) {
		value = model_guided_ask(m, s, iteration) + difference;
		model_guided_tell(m, s, iteration, value, !difference);
	} else {
		value = model_track_ask(&s->track, m->item, iteration) + difference;
		model_track_tell(&s->track, m->item, iteration, value, !difference);
	}
	return value;
}

/* A work-item: that at `before`, moved by what the columns say. */
static bool get_item(struct columns_reader *r, struct differences d[WIDTHS],
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
		e.value = tell(m, &m->sites[e.point], e.iteration, difference);
		to[i] = e;
	}
	r->at[COLUMN_WIDTHS] += count;
	return true;
}

bool alike_items_are_likely(const struct launch_model *m, const struct event *events,
                            uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (events[i].point >= m->site_count)
			return false;
	return true;
}

bool alike_items_get(struct columns_reader *r, struct alike_items *a)
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
		if (!get_item(r, d, a->before, a->count, to))
			return false;
	}
	give_back(r, d);
	return true;
}
