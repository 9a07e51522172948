/* SPDX-License-Identifier: Apache-2.0 */
#include "expander.h"

#include "activation.h"
#include "array.h"
#include "err.h"
#include "item_runs.h"
#include "kernel_table.h"
#include "launch_format.h"
#include "loop_places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An activation that the work-item is in. */
struct frame {
	struct activation activation;
	size_t strands;  /* in the pool before it */
	uint64_t epoch;  /* of the events that are not packed: iteration, low 32 bits zero */
	uint64_t inside; /* events before its first one, behind its EVENT_LOOP */
};

struct expander {
	const struct kernel_table *table;
	struct item_runs runs;
	struct frame *frames; /* room for the deepest nest: frames[i] is of a loop of depth i + 1 */
	size_t depth;         /* frames in use */
	size_t next_root;     /* of runs.roots */
	const struct event *size; /* an EVENT_SIZE whose access comes next, or NULL */
	struct strand *pool;
	size_t pool_capacity, pool_used;
	uint64_t *first; /* of the group that is handed out */
	size_t first_capacity;
	struct event_sink out;
};

int expander_create(struct expander **out, const struct kernel_table *t, struct err *err)
{
	struct expander *x = array_alloc(1, sizeof(*x), "expander", err);
	size_t deepest = 0;
	int ret;

	if (!x)
		return ERR_NOMEM;
	x->table = t;
	for (size_t i = 0; i < t->loop_count; i++)
		if (t->loops[i].depth > deepest)
			deepest = t->loops[i].depth;
	ret = item_runs_init(&x->runs, t, err);
	x->frames = array_alloc(deepest, sizeof(*x->frames), "nested loops", err);
	if (ret || !x->frames) {
		expander_free(x);
		return ERR_NOMEM;
	}
	*out = x;
	return 0;
}

void expander_free(struct expander *x)
{
	if (!x)
		return;
	item_runs_release(&x->runs);
	event_sink_release(&x->out);
	free(x->frames);
	free(x->pool);
	free(x->first);
	free(x);
}

/* Begin an activation of `loop`, with the rows that grids of the one around it have in it. */
static int open_frame(struct expander *x, uint32_t loop, struct activation *around, struct err *err)
{
	struct frame *f = &x->frames[x->depth++];
	struct strand *strands = x->pool + x->pool_used;
	size_t count = item_runs_take(&x->runs, loop, strands);

	if (around)
		count += activation_take_rows(around, loop, strands + count);
	f->strands = x->pool_used;
	f->epoch = 0;
	f->inside = x->out.count;
	x->pool_used += 3 * count;
	return activation_begin(&f->activation, loop, strands, count, err);
}

/* End the innermost activation. One in which nothing happened leaves no trace. */
static int close_frame(struct expander *x, struct err *err)
{
	struct frame *f = &x->frames[x->depth - 1];
	int ret = activation_finish(&f->activation, &x->out, err);

	x->depth--;
	x->pool_used = f->strands;
	if (!ret && x->depth && x->out.count == f->inside)
		x->out.count--; /* its EVENT_LOOP */
	return ret;
}

/* Enter a loop that lies in no other, once. */
static int open_root(struct expander *x, uint32_t loop, struct err *err)
{
	struct item_loop *l = item_runs_loop(&x->runs, loop);
	int ret;

	if (l->entered)
		return err_set(err, ERR_FORMAT,
		               "loop %" PRIu32 ", which lies in no other, is entered twice", loop);
	ret = open_frame(x, loop, NULL, err);
	l->entered = 1;
	return ret;
}

/* Outside all loops: append the loops before `position` that have runs and nothing else. */
static int put_roots(struct expander *x, uint32_t position, struct err *err)
{
	const uint64_t *roots = x->runs.roots.data;
	int ret = 0;

	while (x->next_root < x->runs.roots.count && !ret) {
		uint32_t loop = (uint32_t)roots[x->next_root];

		if (roots[x->next_root] >> 32 >= position)
			break;
		x->next_root++;
		if (item_runs_loop(&x->runs, loop)->entered)
			continue;
		ret = open_root(x, loop, err);
		if (!ret)
			ret = close_frame(x, err);
	}
	return ret;
}

/* Make the innermost activation one of `loop`, or leave all for -1. */
static int stand_in(struct expander *x, int32_t loop, struct err *err)
{
	size_t depth = loop < 0 ? 0 : x->table->loops[loop].depth;
	int ret = 0;

	while (x->depth && x->depth >= depth && !ret &&
	       (loop < 0 || x->frames[x->depth - 1].activation.loop != (uint32_t)loop))
		ret = close_frame(x, err);
	if (ret || x->depth == depth)
		return ret;
	if (depth > 1)
		return err_set(err, ERR_FORMAT, "loop %" PRId32 " has events without being entered",
		               loop);
	ret = put_roots(x, x->runs.places[loop], err);
	return ret ? ret : open_root(x, (uint32_t)loop, err);
}

/* The event of a site, behind what is packed and comes before it. */
static int take_site(struct expander *x, const struct event *e, struct err *err)
{
	int32_t loop = x->table->sites[e->point].loop;
	uint32_t position = loop_places_of_site(e->point);
	int ret = 0;

	if (loop < 0 || !x->depth || x->frames[x->depth - 1].activation.loop != (uint32_t)loop)
		ret = stand_in(x, loop, err);
	if (!ret && loop < 0) {
		ret = put_roots(x, position, err);
	} else if (!ret) {
		struct frame *f = &x->frames[x->depth - 1];
		struct activation *a = &f->activation;
		uint64_t iteration = f->epoch | e->iteration;

		ret = activation_advance(a, &x->out, iteration, position, err);
		if (!ret && a->done < a->active_count && a->active[a->done].site == e->point)
			ret = err_set(err, ERR_FORMAT,
			              "site %" PRIu32 " has two records for iteration %" PRIu64,
			              e->point, iteration);
		if (!ret)
			ret = activation_epoch(a, &x->out, iteration, err);
	}
	if (!ret)
		ret = event_sink_reserve(&x->out, 2, err);
	if (ret)
		return ret;
	if (x->size)
		event_sink_put(&x->out, x->size->value, x->size->point, x->size->iteration);
	event_sink_put(&x->out, e->value, e->point, e->iteration);
	x->size = NULL;
	return 0;
}

static int take_loop(struct expander *x, const struct event *e, struct err *err)
{
	uint32_t loop = e->point & EVENT_ID_MASK;
	int32_t parent = x->table->loops[loop].parent;
	struct activation *around;
	int ret;

	if (parent < 0)
		return err_set(err, ERR_FORMAT,
		               "loop %" PRIu32 " is entered by an event: it lies in no other",
		               loop);
	ret = stand_in(x, parent, err);
	if (ret)
		return ret;
	around = &x->frames[x->depth - 1].activation;
	ret = activation_advance(around, &x->out, e->value, x->runs.places[loop], err);
	if (!ret)
		ret = event_sink_reserve(&x->out, 1, err);
	if (ret)
		return ret;
	event_sink_put(&x->out, e->value, e->point, 0);
	item_runs_loop(&x->runs, loop)->entered++;
	return open_frame(x, loop, around, err);
}

static int take_epoch(struct expander *x, const struct event *e, struct err *err)
{
	uint32_t loop = e->point & EVENT_ID_MASK;
	int ret;

	if (!e->value || (uint32_t)e->value)
		return err_set(err, ERR_FORMAT,
		               "loop %" PRIu32 " has an epoch at iteration %" PRIu64
		               ": expected a multiple of 2^32",
		               loop, e->value);
	ret = stand_in(x, (int32_t)loop, err);
	if (!ret)
		x->frames[x->depth - 1].epoch = e->value;
	return ret;
}

/* One event; those of runs and grids were found before. */
static int take(struct expander *x, const struct event *e, struct err *err)
{
	uint32_t kind = e->point & EVENT_KIND_MASK;

	if (kind > EVENT_SIZE)
		return 0;
	if (x->size && e->point != (x->size->point & EVENT_ID_MASK)) /* EVENT_SITE is 0 */
		return err_set(err, ERR_FORMAT, "a size for site %" PRIu32 " without its access",
		               x->size->point & EVENT_ID_MASK);
	if (kind == EVENT_SITE)
		return take_site(x, e, err);
	if (kind == EVENT_LOOP)
		return take_loop(x, e, err);
	if (kind == EVENT_EPOCH)
		return take_epoch(x, e, err);
	x->size = e;
	return 0;
}

/* Room for the strands of all activations that are open at a time: a run is in one, a grid in one
 * and its row in another, and each needs room for three. */
static int reserve_pool(struct expander *x, struct err *err)
{
	size_t count = 6 * x->runs.list.count;

	x->pool_used = 0;
	if (count <= x->pool_capacity)
		return 0;
	free(x->pool);
	x->pool_capacity = 0;
	x->pool = array_alloc(count, sizeof(*x->pool), "runs", err);
	if (!x->pool)
		return ERR_NOMEM;
	x->pool_capacity = count;
	return 0;
}

static int compare_roots(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The events of one work-item. */
static int expand_item(struct expander *x, const struct event *events, uint64_t count,
                       struct err *err)
{
	int ret = item_runs_find(&x->runs, events, count, err);

	if (ret)
		return ret;
	if (!x->runs.list.count) {
		ret = event_sink_reserve(&x->out, count, err);
		if (ret || !count)
			return ret;
		memcpy(x->out.events + x->out.count, events, count * sizeof(*events));
		x->out.count += count;
		return 0;
	}
	ret = reserve_pool(x, err);
	if (x->runs.roots.count > 1)
		qsort(x->runs.roots.data, x->runs.roots.count, sizeof(uint64_t), compare_roots);
	x->depth = x->next_root = 0;
	x->size = NULL;
	for (uint64_t i = 0; i < count && !ret; i++)
		ret = take(x, &events[i], err);
	if (!ret)
		ret = stand_in(x, -1, err);
	if (!ret && x->size)
		ret = err_set(err, ERR_FORMAT, "a size for site %" PRIu32 " without its access",
		              x->size->point & EVENT_ID_MASK);
	return ret ? ret : put_roots(x, UINT32_MAX, err);
}

/* At least so many events come out of `events`; 2^64 - 1 when that does not fit. */
static uint64_t least_events(const struct event *events, uint64_t count)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < count; i++) {
		struct packed_run run;
		uint32_t parts = event_parts(events[i].point);
		uint64_t accesses = 1;

		if (parts && packed_run_get(&run, &events[i], 1 + parts))
			accesses = packed_run_accesses(&run);
		if (__builtin_add_overflow(sum, accesses, &sum))
			return UINT64_MAX;
		i += parts;
	}
	return sum;
}

/* Room for `events` events of the work-items below `end`. */
static int reserve_items(struct expander *x, uint32_t end, uint64_t events, struct err *err)
{
	size_t firsts = (size_t)end + 1;

	if (events > LAUNCH_GROUP_EVENTS_MAX)
		return err_set(err, ERR_LIMIT,
		               "%" PRIu64 " events when its runs and grids are expanded, expected "
		               "at most %" PRIu64,
		               events, LAUNCH_GROUP_EVENTS_MAX);
	if (firsts > x->first_capacity) {
		free(x->first);
		x->first_capacity = 0;
		x->first = array_alloc(firsts, sizeof(*x->first), "work-items", err);
		if (!x->first)
			return ERR_NOMEM;
		x->first_capacity = firsts;
	}
	x->out.count = 0;
	return event_sink_reserve(&x->out, events, err);
}

int expander_items(struct expander *x, const struct group_events *packed, uint32_t first_item,
                   uint32_t items, struct group_events *out, struct err *err)
{
	static const struct event none;
	const uint64_t *first = packed->first;
	const uint32_t end = first_item + items;
	struct err inner = { 0 };
	int ret = reserve_items(
		x, end,
		least_events(packed->events + first[first_item], first[end] - first[first_item]),
		err);

	if (ret)
		return ret;
	memset(x->first, 0, (first_item + (size_t)1) * sizeof(*x->first));
	for (uint32_t item = first_item; item < end; item++) {
		if (expand_item(x, packed->events + first[item], first[item + 1] - first[item],
		                &inner))
			return err_set(err, (enum err_code)inner.code, "work-item %" PRIu32 ": %s",
			               item, inner.msg);
		x->first[item + 1] = x->out.count;
	}
	*out = (struct group_events){ end, x->first, x->out.events ? x->out.events : &none };
	return 0;
}

int expander_group(struct expander *x, const struct group_events *packed, uint64_t group,
                   struct group_events *out, struct err *err)
{
	struct err inner = { 0 };

	if (!expander_items(x, packed, 0, packed->item_count, out, &inner))
		return 0;
	return err_set(err, (enum err_code)inner.code, "group %" PRIu64 ": %s", group, inner.msg);
}

int expander_outline(struct expander *x, const struct event *events, uint64_t count,
                     const struct event **out, uint64_t *out_count, struct err *err)
{
	int ret;

	x->out.count = 0;
	x->out.is_outline = true;
	ret = expand_item(x, events, count, err);
	x->out.is_outline = false;
	*out = x->out.events;
	*out_count = x->out.count;
	return ret;
}
