/* SPDX-License-Identifier: Apache-2.0 */
#include "warp_former.h"

#include "array.h"
#include "err.h"
#include "expander.h"
#include "loop_path.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Fronts are kept in order. The events of a front's lanes are read, as long as they agree, up to
 * the lanes' next position. */

#define SIZE_NONE UINT64_MAX

/* Lanes at the same position. A front has the number of one of its lanes, so that the numbers, and
 * the loop paths that belong to them, are unique and need no allocation. */
struct front {
	uint32_t site;
	uint32_t lane_count;
	uint16_t *lane; /* ascending; room for all lanes of a warp */
};

struct warp_former {
	const struct kernel_table *table;
	uint32_t first_item;
	bool keeps_path;
	struct loop_level *step_path; /* of the last step, when keeps_path */
	uint32_t lanes_max;           /* most lanes of a warp so far: allocated for that many */
	uint32_t levels;              /* of a loop path */
	struct loop_level *paths;     /* `levels` for each front */
	uint16_t *front_lanes;        /* lanes_max for each front */
	const struct event *next[LARGE_WARP_LANES_MAX];
	const struct event *end[LARGE_WARP_LANES_MAX];
	const struct event *begin[LARGE_WARP_LANES_MAX];  /* first of the events up to `end` */
	uint64_t before[LARGE_WARP_LANES_MAX];            /* number of events before them */
	bool goes_on[LARGE_WARP_LANES_MAX];               /* the lane's expander may have more */
	struct expander *expanders[LARGE_WARP_LANES_MAX]; /* owned; NULL until they are needed */
	uint64_t size[LARGE_WARP_LANES_MAX];  /* of the access that follows, or SIZE_NONE */
	uint32_t order_count;                 /* fronts on the stack */
	uint32_t barrier_count;               /* of these, at a barrier */
	uint16_t order[LARGE_WARP_LANES_MAX]; /* the least last */
	uint16_t todo[LARGE_WARP_LANES_MAX];  /* fronts that settle() has yet to place */
	struct front fronts[LARGE_WARP_LANES_MAX];
};

/* The result of reading the events of a front. */
enum outcome {
	AT_SITE, /* its lanes are at fronts[].site; the event of the site is next */
	ENDED,   /* its lanes have no more events */
	APART,   /* its lanes' next events differ, or some have ended */
};

/* The loop path of a front. */
static inline struct loop_level *path_of(const struct warp_former *f, uint32_t front)
{
	return f->paths + (size_t)front * f->levels;
}

static int lane_refill(struct warp_former *f, uint32_t lane, struct err *err);

/* Advance a lane by one event. */
static inline int lane_advance(struct warp_former *f, uint32_t lane, struct err *err)
{
	return ++f->next[lane] == f->end[lane] && f->goes_on[lane] ? lane_refill(f, lane, err) : 0;
}

/* Advance each lane of a front by one event. */
static inline int front_advance(struct warp_former *f, const struct front *fr, struct err *err)
{
	int rc = 0;

	for (uint32_t i = 0; !rc && i < fr->lane_count; i++)
		rc = lane_advance(f, fr->lane[i], err);
	return rc;
}

/* Fail with `why`, prefixed by the work-item and the event. */
static int refuse_events(const struct warp_former *f, uint32_t lane, const struct err *why,
                         struct err *err)
{
	uint64_t event = f->before[lane] + (uint64_t)(f->next[lane] - f->begin[lane]);

	return err_set(err, why->code ? (enum err_code)why->code : ERR_FORMAT,
	               "work-item %" PRIu32 ", event %" PRIu64 ": %s", f->first_item + lane, event,
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

/* Process EVENT_LOOP or EVENT_EPOCH, which all lanes of the front have next. */
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
		return refuse_events(f, fr->lane[0], &why, err);
	return front_advance(f, fr, err);
}

/* Process EVENT_SIZE, which all lanes of the front have next; each has its own size. */
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
			return refuse_events(f, lane, &why, err);
		f->size[lane] = e->value;
		f->next[lane]++; /* to its access, which follows */
	}
	return 0;
}

/* The event of a site is next for the front's lanes: check it, and set the position of the front.
 */
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
		return refuse_events(f, fr->lane[0], &why, err);
	}
	if (loop_path_stand(path_of(f, number), f->levels, f->table, fr->site, e->iteration, &why))
		return refuse_events(f, fr->lane[0], &why, err);
	site = &f->table->sites[fr->site];
	if (site->bytes > WARP_ACCESS_LIMIT_BYTES) {
		err_set(&why, ERR_LIMIT, "an access of %" PRIu32 " bytes: at most %u are replayed",
		        site->bytes, WARP_ACCESS_LIMIT_BYTES);
		return refuse_events(f, fr->lane[0], &why, err);
	}
	if (site->bytes || !site_kind_is_access(site->kind))
		return 0;
	for (uint32_t i = 0; i < fr->lane_count; i++)
		if (f->size[fr->lane[i]] == SIZE_NONE) {
			err_set(&why, ERR_FORMAT, "an access of site %" PRIu32 " without its size",
			        fr->site);
			return refuse_events(f, fr->lane[i], &why, err);
		}
	return 0;
}

static int front_read_on(struct warp_former *f, uint32_t number, enum outcome *outcome,
                         struct err *err)
{
	static const struct err packed = { .msg = "a part of a run or grid without its beginning" };
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
		case EVENT_LOOP:
		case EVENT_EPOCH:
			rc = take_loop_event(f, number, outcome, err);
			if (*outcome == APART)
				return rc;
			break;
		default:
			rc = refuse_events(f, fr->lane[0], &packed, err);
		}
	}
	return rc;
}

int warp_former_create(struct warp_former **out, const struct kernel_table *table, struct err *err)
{
	struct warp_former *f = array_alloc(1, sizeof(*f), "warp former", err);

	if (!f)
		return ERR_NOMEM;
	f->table = table;
	f->levels = loop_path_levels(table);
	f->step_path = array_alloc(f->levels, sizeof(*f->step_path), "loop paths", err);
	if (!f->step_path) {
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
	for (uint32_t i = 0; i < LARGE_WARP_LANES_MAX; i++)
		expander_free(f->expanders[i]);
	free(f->paths);
	free(f->front_lanes);
	free(f->step_path);
	free(f);
}

void warp_former_keep_path(struct warp_former *f, bool keeps_path)
{
	f->keeps_path = keeps_path;
}

const struct loop_level *warp_former_path(const struct warp_former *f)
{
	return f->step_path;
}

/* Make room for warps of that many lanes. */
static int reserve(struct warp_former *f, uint32_t lanes, struct err *err)
{
	uint16_t *front_lanes;
	struct loop_level *paths;

	if (lanes <= f->lanes_max)
		return 0;
	front_lanes =
		array_alloc((size_t)lanes * lanes, sizeof(*front_lanes), "lanes of fronts", err);
	paths = array_alloc((size_t)f->levels * lanes, sizeof(*paths), "loop paths", err);
	if (!front_lanes || !paths) {
		free(front_lanes);
		free(paths);
		return ERR_NOMEM;
	}
	free(f->front_lanes);
	free(f->paths);
	f->front_lanes = front_lanes;
	f->paths = paths;
	f->lanes_max = lanes;
	for (uint32_t i = 0; i < lanes; i++)
		f->fronts[i].lane = front_lanes + (size_t)i * lanes;
	return 0;
}

/* Add the lanes of `from`, which is at the same position. Both ascend, and so does the result. */
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

/* Insert a front into the stack, in order, or merge it with the front at the same position. */
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
	memmove(f->order + at + 1, f->order + at, (f->order_count - at) * sizeof(*f->order));
	f->order[at] = (uint16_t)number;
	f->order_count++;
	f->barrier_count += is_at_barrier(f, number);
}

/* Whether two lanes, neither at its end, have the same next position. */
static bool is_alike(const struct event *a, const struct event *b)
{
	uint32_t kind = a->point & EVENT_KIND_MASK;

	return a->point == b->point && a->iteration == b->iteration &&
	       (kind == EVENT_SITE || kind == EVENT_SIZE || a->value == b->value);
}

/*
 * The lanes of a front diverge: make a front of each set of equal lanes. Their numbers are stored
 * from todo[begin] on; returns the end of these. Lanes that have ended are in none. The front that
 * keeps the number is filled while it is read: writes never overtake reads.
 */
static uint32_t part(struct warp_former *f, uint32_t number, uint32_t begin)
{
	const struct front whole = f->fronts[number];
	uint16_t *todo = f->todo;
	uint32_t end = begin;

	for (uint32_t i = 0; i < whole.lane_count; i++) {
		uint16_t lane = whole.lane[i];
		uint32_t at = begin;

		if (f->next[lane] == f->end[lane])
			continue;
		while (at < end && !is_alike(f->next[todo[at]], f->next[lane]))
			at++; /* a new front has the number of its first lane */
		if (at == end) {
			todo[end++] = lane;
			f->fronts[lane].lane_count = 0;
			if (lane != number)
				memcpy(path_of(f, lane), path_of(f, number),
				       f->levels * sizeof(struct loop_level));
		}
		f->fronts[todo[at]].lane[f->fronts[todo[at]].lane_count++] = lane;
	}
	return end;
}

/* Find the next position of a front that is not on the stack, as one front or several. */
static int settle(struct warp_former *f, uint32_t number, struct err *err)
{
	uint32_t count = 1;

	f->todo[0] = (uint16_t)number;
	while (count) {
		enum outcome outcome;
		int rc;

		number = f->todo[--count];
		rc = front_read_on(f, number, &outcome, err);
		if (rc)
			return rc;
		if (outcome == APART)
			count = part(f, number, count);
		else if (outcome == AT_SITE)
			place(f, number);
	}
	return 0;
}

/* Fail with `why`, prefixed by the work-item. */
static int refuse(const struct warp_former *f, uint32_t lane, const struct err *why,
                  struct err *err)
{
	return err_set(err, (enum err_code)why->code, "work-item %" PRIu32 ": %s",
	               f->first_item + lane, why->msg);
}

static int lane_refill(struct warp_former *f, uint32_t lane, struct err *err)
{
	struct err why = { 0 };
	uint64_t count;

	f->before[lane] += (uint64_t)(f->end[lane] - f->begin[lane]);
	if (expander_next(f->expanders[lane], &f->begin[lane], &count, &why))
		return refuse(f, lane, &why, err);
	f->next[lane] = f->begin[lane];
	f->end[lane] = f->begin[lane] + count;
	f->goes_on[lane] = count != 0;
	return 0;
}

/* Begin a lane: plain events are read in place, others through the lane's expander. */
static int start_lane(struct warp_former *f, uint32_t lane, const struct item_events *from,
                      struct err *err)
{
	struct err why = { 0 };

	f->size[lane] = SIZE_NONE;
	f->before[lane] = 0;
	f->begin[lane] = f->next[lane] = from->events;
	f->end[lane] = from->events + from->count;
	f->goes_on[lane] = !item_events_are_plain(from);
	if (!f->goes_on[lane])
		return 0;
	if (!f->expanders[lane] && expander_create(&f->expanders[lane], f->table, err))
		return ERR_NOMEM;
	if (expander_start(f->expanders[lane], from, &why))
		return refuse(f, lane, &why, err);
	f->end[lane] = f->begin[lane];
	return lane_refill(f, lane, err);
}

int warp_former_start(struct warp_former *f, const struct group_items *items, uint32_t first_item,
                      uint32_t lanes, struct err *err)
{
	struct front *fr = &f->fronts[0];
	int rc = 0;

	assert(lanes >= 1 && lanes <= LARGE_WARP_LANES_MAX &&
	       lanes <= items->events.item_count - first_item);
	if (reserve(f, lanes, err))
		return ERR_NOMEM;
	f->first_item = first_item;
	f->order_count = f->barrier_count = 0;
	for (uint32_t i = 0; !rc && i < lanes; i++) {
		const struct item_events from = group_items_at(items, first_item + i);

		fr->lane[i] = (uint16_t)i;
		rc = start_lane(f, i, &from, err);
	}
	if (rc)
		return rc;
	fr->lane_count = lanes;
	loop_path_start(path_of(f, 0), f->levels);
	return settle(f, 0, err);
}

/* Remove the least front that is not at a barrier from the stack; there must be one. */
static uint32_t take_least(struct warp_former *f)
{
	uint32_t at = f->order_count - 1, number;

	while (f->barrier_count && is_at_barrier(f, f->order[at]))
		at--;
	number = f->order[at];
	f->order_count--;
	memmove(f->order + at, f->order + at + 1, (f->order_count - at) * sizeof(*f->order));
	return number;
}

static void keep_path(struct warp_former *f, uint32_t number)
{
	if (f->keeps_path)
		memcpy(f->step_path, path_of(f, number), f->levels * sizeof(*f->step_path));
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

/* Fill in the step of a front, and advance its lanes past it. */
static int fill_step(struct warp_former *f, const struct front *fr, struct warp_step *step,
                     struct err *err)
{
	int rc = 0;

	step->site = fr->site;
	step->lane_count = fr->lane_count;
	step->bytes = f->table->sites[fr->site].bytes;
	step->is_mixed = false;
	memcpy(step->lane, fr->lane, fr->lane_count * sizeof(*fr->lane));
	for (uint32_t i = 0; !rc && i < fr->lane_count; i++) {
		step->address[i] = f->next[fr->lane[i]]->value;
		rc = lane_advance(f, fr->lane[i], err);
	}
	if (!step->bytes)
		fill_sizes(f, fr, step);
	return rc;
}

/* All unfinished lanes are at barriers: make one step for all of them, and let them continue. */
static int pass_barrier(struct warp_former *f, struct warp_step *step, struct err *err)
{
	uint32_t count = f->order_count;
	uint16_t waiting[LARGE_WARP_LANES_MAX];
	struct front all = { .lane = step->lane };
	int rc = 0;

	memcpy(waiting, f->order, count * sizeof(*waiting));
	for (uint32_t i = 0; i < count; i++)
		merge(&all, &f->fronts[waiting[i]]);
	keep_path(f, waiting[count - 1]);
	step->site = f->fronts[waiting[count - 1]].site;
	step->lane_count = all.lane_count;
	step->bytes = 0;
	step->is_mixed = false;
	f->order_count = f->barrier_count = 0;
	for (uint32_t i = 0; !rc && i < count; i++) {
		rc = front_advance(f, &f->fronts[waiting[i]], err);
		if (!rc)
			rc = settle(f, waiting[i], err);
	}
	return rc;
}

/* Whether a site makes no replayed memory access. */
static bool is_silent(const struct site *s)
{
	return s->kind == SITE_FENCE || s->kind == SITE_PREFETCH;
}

int warp_former_next(struct warp_former *f, struct warp_step *step, struct err *err)
{
	while (f->order_count) {
		uint32_t number;
		bool is_passed;
		int rc;

		if (f->barrier_count == f->order_count)
			return pass_barrier(f, step, err);
		number = take_least(f);
		is_passed = is_silent(&f->table->sites[f->fronts[number].site]);
		rc = fill_step(f, &f->fronts[number], step, err);
		keep_path(f, number);
		if (!rc)
			rc = settle(f, number, err);
		if (rc || !is_passed)
			return rc;
	}
	step->lane_count = 0;
	return 0;
}
