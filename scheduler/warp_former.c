/* SPDX-License-Identifier: Apache-2.0 */
#include "warp_former.h"

#include "array.h"
#include "err.h"
#include "loop_path.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_NONE UINT64_MAX

/* Lanes that stand at the same place. A front's number is that of one of its lanes, so that
 * numbers, and the loop paths that go with them, are unique and need no allocation. */
struct front {
	uint32_t site;
	uint32_t lane_count;
	uint8_t lane[WARP_LANES_MAX]; /* ascending */
};

struct warp_former {
	const struct kernel_table *table;
	const struct group_events *events;
	uint32_t first_item;
	uint32_t levels;          /* of a loop path */
	struct loop_level *paths; /* levels for each front */
	const struct event *next[WARP_LANES_MAX];
	const struct event *end[WARP_LANES_MAX];
	uint64_t size[WARP_LANES_MAX]; /* of the access that follows, or SIZE_NONE */
	uint32_t order_count;          /* fronts on the stack */
	uint32_t barrier_count;        /* of which at a barrier */
	uint8_t order[WARP_LANES_MAX]; /* the least last */
	struct front fronts[WARP_LANES_MAX];
};

enum outcome { AT_SITE, ENDED, APART };

int warp_former_create(struct warp_former **out, const struct kernel_table *table, struct err *err)
{
	struct warp_former *f = array_alloc(1, sizeof(*f), "warp former", err);

	if (!f)
		return ERR_NOMEM;
	f->table = table;
	f->levels = loop_path_levels(table);
	f->paths = array_alloc((size_t)f->levels * WARP_LANES_MAX, sizeof(*f->paths), "loop paths",
	                       err);
	if (!f->paths) {
		warp_former_free(f);
		return ERR_NOMEM;
	}
	*out = f;
	return 0;
}

void warp_former_free(struct warp_former *f)
{
	if (!f)
		return;
	free(f->paths);
	free(f);
}

static struct loop_level *path_of(const struct warp_former *f, uint32_t front)
{
	return f->paths + (size_t)front * f->levels;
}

/* Add to `why` whose event it was. */
static int refuse(const struct warp_former *f, uint32_t lane, const struct err *why,
                  struct err *err)
{
	uint32_t item = f->first_item + lane;
	const struct event *begin = f->events->events + f->events->first[item];

	return err_set(err, why->code ? (enum err_code)why->code : ERR_FORMAT,
	               "work-item %" PRIu32 ", event %td: %s", item, f->next[lane] - begin,
	               why->msg);
}

/* Whether all lanes of a front have ended, or have the same event next. */
static enum outcome compare_lanes(const struct warp_former *f, const struct front *fr)
{
	const struct event *first = f->next[fr->lane[0]];
	uint64_t differs = 0;

	if (first == f->end[fr->lane[0]]) {
		for (uint32_t i = 1; i < fr->lane_count; i++)
			if (f->next[fr->lane[i]] != f->end[fr->lane[i]])
				return APART;
		return ENDED;
	}
	for (uint32_t i = 1; i < fr->lane_count; i++) {
		const struct event *e = f->next[fr->lane[i]];

		if (e == f->end[fr->lane[i]])
			return APART;
		differs |= (e->point ^ first->point) | (e->iteration ^ first->iteration);
	}
	return differs ? APART : AT_SITE;
}

static void advance(struct warp_former *f, const struct front *fr)
{
	for (uint32_t i = 0; i < fr->lane_count; i++)
		f->next[fr->lane[i]]++;
}

/* EVENT_LOOP and EVENT_EPOCH, which all lanes of the front have next. */
static int take_loop_event(struct warp_former *f, uint32_t number, enum outcome *outcome,
                           struct err *err)
{
	const struct front *fr = &f->fronts[number];
	const struct event *first = f->next[fr->lane[0]];
	uint32_t loop = first->point & EVENT_ID_MASK;
	struct err why = { 0 };
	int rc;

	for (uint32_t i = 1; i < fr->lane_count; i++)
		if (f->next[fr->lane[i]]->value != first->value) {
			*outcome = APART;
			return 0;
		}
	if ((first->point & EVENT_KIND_MASK) == EVENT_LOOP)
		rc = loop_path_enter(path_of(f, number), f->levels, f->table, loop, first->value,
		                     &why);
	else
		rc = loop_path_epoch(path_of(f, number), f->levels, f->table, loop, first->value,
		                     &why);
	if (rc)
		return refuse(f, fr->lane[0], &why, err);
	advance(f, fr);
	return 0;
}

/* EVENT_SIZE, which all lanes of the front have next: each has its own size. */
static int take_sizes(struct warp_former *f, const struct front *fr, struct err *err)
{
	uint32_t site = f->next[fr->lane[0]]->point & EVENT_ID_MASK;
	struct err why = { 0 };

	for (uint32_t i = 0; i < fr->lane_count; i++) {
		uint32_t lane = fr->lane[i];
		const struct event *e = f->next[lane];

		if (e + 1 == f->end[lane] || e[1].point != site) /* EVENT_SITE is 0 */
			err_set(&why, ERR_FORMAT, "a size for site %" PRIu32 " without its access",
			        site);
		else if (e->value > WARP_ACCESS_LIMIT_BYTES)
			err_set(&why, ERR_LIMIT,
			        "an access of %" PRIu64 " bytes: at most %u are "
			        "replayed",
			        e->value, WARP_ACCESS_LIMIT_BYTES);
		if (why.code)
			return refuse(f, lane, &why, err);
		f->size[lane] = e->value;
		f->next[lane]++;
	}
	return 0;
}

/* The front's lanes have the event of a site next: check it, and put the front there. */
static int stand_at_site(struct warp_former *f, uint32_t number, struct err *err)
{
	struct front *fr = &f->fronts[number];
	const struct event *e = f->next[fr->lane[0]];
	struct err why = { 0 };
	const struct site *site;

	fr->site = e->point;
	if (fr->site >= f->table->site_count) {
		err_set(&why, ERR_FORMAT, "there is no site %" PRIu32 ": the kernel has %zu",
		        fr->site, f->table->site_count);
		return refuse(f, fr->lane[0], &why, err);
	}
	if (loop_path_stand(path_of(f, number), f->levels, f->table, fr->site, e->iteration, &why))
		return refuse(f, fr->lane[0], &why, err);
	site = &f->table->sites[fr->site];
	if (site->bytes > WARP_ACCESS_LIMIT_BYTES) {
		err_set(&why, ERR_LIMIT, "an access of %" PRIu32 " bytes: at most %u are replayed",
		        site->bytes, WARP_ACCESS_LIMIT_BYTES);
		return refuse(f, fr->lane[0], &why, err);
	}
	for (uint32_t i = 0; !site->bytes && i < fr->lane_count; i++)
		if (site_kind_is_access(site->kind) && f->size[fr->lane[i]] == SIZE_NONE) {
			err_set(&why, ERR_FORMAT, "an access of site %" PRIu32 " without its size",
			        fr->site);
			return refuse(f, fr->lane[i], &why, err);
		}
	return 0;
}

/* Read on to the place where the front's lanes stand next, unless they part before it. */
static int read_on(struct warp_former *f, uint32_t number, enum outcome *outcome, struct err *err)
{
	struct front *fr = &f->fronts[number];
	int rc = 0;

	while (!rc) {
		*outcome = compare_lanes(f, fr);
		if (*outcome != AT_SITE)
			return 0;
		switch (f->next[fr->lane[0]]->point & EVENT_KIND_MASK) {
		case EVENT_SITE:
			return stand_at_site(f, number, err);
		case EVENT_SIZE:
			rc = take_sizes(f, fr, err);
			break;
		default:
			rc = take_loop_event(f, number, outcome, err);
			if (*outcome == APART)
				return rc;
		}
	}
	return rc;
}

/* Add the lanes of `from`, which stands at the same place. Both ascend, and so does the result. */
static void merge(struct front *to, const struct front *from)
{
	uint32_t i = to->lane_count, k = from->lane_count, at = i + k;

	to->lane_count = at;
	while (k) {
		if (i && to->lane[i - 1] > from->lane[k - 1])
			to->lane[--at] = to->lane[--i];
		else
			to->lane[--at] = from->lane[--k];
	}
}

static bool is_at_barrier(const struct warp_former *f, uint32_t number)
{
	return f->table->sites[f->fronts[number].site].kind == SITE_BARRIER;
}

/* Put a front on the stack, in order; it becomes part of one that stands at the same place. */
static void place(struct warp_former *f, uint32_t number)
{
	uint32_t at = f->order_count;

	for (; at > 0; at--) {
		uint32_t other = f->order[at - 1];
		int order = loop_path_compare(f->table, path_of(f, number), f->fronts[number].site,
		                              path_of(f, other), f->fronts[other].site);

		if (order == 0) {
			merge(&f->fronts[other], &f->fronts[number]);
			return;
		}
		if (order < 0)
			break;
	}
	memmove(f->order + at + 1, f->order + at, f->order_count - at);
	f->order[at] = (uint8_t)number;
	f->order_count++;
	f->barrier_count += is_at_barrier(f, number);
}

/* The lanes of a front go different ways from here: each finds its own place. */
static int part(struct warp_former *f, uint32_t number, struct err *err)
{
	struct front whole = f->fronts[number];
	size_t path_bytes = f->levels * sizeof(struct loop_level);

	for (uint32_t i = 0; i < whole.lane_count; i++) /* before the path changes */
		if (whole.lane[i] != number)
			memcpy(path_of(f, whole.lane[i]), path_of(f, number), path_bytes);
	for (uint32_t i = 0; i < whole.lane_count; i++) {
		struct front *one = &f->fronts[whole.lane[i]];
		enum outcome outcome;
		int rc;

		one->lane_count = 1;
		one->lane[0] = whole.lane[i];
		rc = read_on(f, whole.lane[i], &outcome, err);
		if (rc)
			return rc;
		assert(outcome != APART);
		if (outcome == AT_SITE)
			place(f, whole.lane[i]);
	}
	return 0;
}

/* A front that is not on the stack finds its next place, in one piece or in several. */
static int settle(struct warp_former *f, uint32_t number, struct err *err)
{
	enum outcome outcome;
	int rc = read_on(f, number, &outcome, err);

	if (rc)
		return rc;
	if (outcome == APART)
		return part(f, number, err);
	if (outcome == AT_SITE)
		place(f, number);
	return 0;
}

int warp_former_start(struct warp_former *f, const struct group_events *events, uint32_t first_item,
                      uint32_t lanes, struct err *err)
{
	struct front *fr = &f->fronts[0];

	assert(lanes >= 1 && lanes <= WARP_LANES_MAX && lanes <= events->item_count - first_item);
	f->events = events;
	f->first_item = first_item;
	f->order_count = f->barrier_count = 0;
	for (uint32_t i = 0; i < lanes; i++) {
		f->next[i] = events->events + events->first[first_item + i];
		f->end[i] = events->events + events->first[first_item + i + 1];
		f->size[i] = SIZE_NONE;
		fr->lane[i] = (uint8_t)i;
	}
	fr->lane_count = lanes;
	loop_path_start(path_of(f, 0), f->levels);
	return settle(f, 0, err);
}

/* Take the least front that is not at a barrier off the stack; there is one. */
static uint32_t take_least(struct warp_former *f)
{
	uint32_t at = f->order_count - 1, number;

	while (f->barrier_count && is_at_barrier(f, f->order[at]))
		at--;
	number = f->order[at];
	f->order_count--;
	memmove(f->order + at, f->order + at + 1, f->order_count - at);
	return number;
}

static void fill_sizes(struct warp_former *f, const struct front *fr, struct warp_step *step)
{
	for (uint32_t i = 0; i < fr->lane_count; i++) {
		uint64_t size = f->size[fr->lane[i]];

		step->sizes[i] = size;
		step->is_mixed |= size != step->sizes[0];
		if (size > step->bytes)
			step->bytes = (uint32_t)size;
		f->size[fr->lane[i]] = SIZE_NONE;
	}
}

/* Write the step of a front, and move its lanes beyond. */
static void fill_step(struct warp_former *f, const struct front *fr, struct warp_step *step)
{
	step->site = fr->site;
	step->lane_count = fr->lane_count;
	step->bytes = f->table->sites[fr->site].bytes;
	step->is_mixed = false;
	memcpy(step->lane, fr->lane, fr->lane_count);
	for (uint32_t i = 0; i < fr->lane_count; i++)
		step->address[i] = f->next[fr->lane[i]]++->value;
	if (!step->bytes)
		fill_sizes(f, fr, step);
}

/* All unfinished lanes stand at barriers: one step for all of them, and they go on. */
static int pass_barrier(struct warp_former *f, struct warp_step *step, struct err *err)
{
	uint32_t count = f->order_count;
	uint8_t waiting[WARP_LANES_MAX];
	struct front all = f->fronts[f->order[count - 1]];
	int rc = 0;

	memcpy(waiting, f->order, count);
	for (uint32_t i = 0; i + 1 < count; i++)
		merge(&all, &f->fronts[waiting[i]]);
	step->site = all.site;
	step->lane_count = all.lane_count;
	step->bytes = 0;
	step->is_mixed = false;
	memcpy(step->lane, all.lane, all.lane_count);
	f->order_count = f->barrier_count = 0;
	for (uint32_t i = 0; !rc && i < count; i++) {
		advance(f, &f->fronts[waiting[i]]);
		rc = settle(f, waiting[i], err);
	}
	return rc;
}

int warp_former_next(struct warp_former *f, struct warp_step *step, struct err *err)
{
	while (f->order_count) {
		uint32_t number;
		bool is_fence;
		int rc;

		if (f->barrier_count == f->order_count)
			return pass_barrier(f, step, err);
		number = take_least(f);
		is_fence = f->table->sites[f->fronts[number].site].kind == SITE_FENCE;
		if (is_fence)
			advance(f, &f->fronts[number]);
		else
			fill_step(f, &f->fronts[number], step);
		rc = settle(f, number, err);
		if (rc || !is_fence)
			return rc;
	}
	step->lane_count = 0;
	return 0;
}
