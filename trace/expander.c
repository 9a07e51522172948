/* SPDX-License-Identifier: Apache-2.0 */
#include "expander.h"

#include "activation.h"
#include "array.h"
#include "err.h"
#include "kernel_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * item_runs - the runs and grids of one work-item, by loop and activation; private to trace/. A run
 * may be stored anywhere in its activation, also after events that it comes before. So all of the
 * work-item's events are seen once before any is expanded. Runs of outermost loops, which have one
 * activation, are kept from then on. Runs of other loops are collected when their activation
 * begins, from the events that follow. Memory: the former, and what the caller collects.
 */

struct kernel_table;

/* The state of a loop while a work-item's events are processed. */
struct item_loop {
	uint64_t item; /* the work-item of the following fields; for another one they count as zero
	                */
	bool is_entered; /* inner loop: an activation was seen; outermost loop: it was expanded */
	bool has_runs;
	size_t first, last; /* outermost loop: index + 1 in item_runs.list, 0 for none */
};

struct item_run {
	struct strand strand;
	size_t next; /* as in struct item_loop */
};

struct item_runs {
	const struct kernel_table *table;
	struct item_loop *loops;
	uint32_t *places;   /* of the loops (kernel_table.h) */
	uint64_t item;      /* counts the work-items */
	uint64_t count;     /* runs and grids of this one */
	uint64_t collected; /* of these, returned */
	struct array list;  /* struct item_run */
	struct array roots; /* uint64_t: outermost loops with runs or grids, with their places in
	                       the high half */
};

/* The most runs of an outermost loop in one work-item: 2^20 take 80 MB. */
#define RUNS_MAX ((size_t)1 << 20)

/* Set up for a table, which is borrowed. Release with item_runs_release(), in any case. Returns 0
 * or ERR_NOMEM. */
static int item_runs_init(struct item_runs *r, const struct kernel_table *t, struct err *err)
{
	*r = (struct item_runs){ .table = t };
	array_init(&r->list, sizeof(struct item_run), RUNS_MAX, "runs of a work-item");
	array_init(&r->roots, sizeof(uint64_t), KERNEL_LOOPS_MAX, "loops with runs");
	r->loops = array_alloc(t->loop_count, sizeof(*r->loops), "loops", err);
	r->places = array_alloc(t->loop_count, sizeof(*r->places), "places of loops", err);
	if (!r->loops || !r->places)
		return ERR_NOMEM;
	loop_places_fill(t, r->places);
	return 0;
}

static void item_runs_release(struct item_runs *r)
{
	array_release(&r->list);
	array_release(&r->roots);
	free(r->loops);
	free(r->places);
	r->loops = NULL;
	r->places = NULL;
}

/* Begin the next work-item, of which nothing was seen yet. */
static void item_runs_begin(struct item_runs *r)
{
	array_clear(&r->list);
	array_clear(&r->roots);
	r->count = r->collected = 0;
	r->item++;
}

/* Returns the state of a loop for this work-item. */
static struct item_loop *item_runs_loop(const struct item_runs *r, uint32_t loop)
{
	struct item_loop *l = &r->loops[loop];

	if (l->item != r->item)
		*l = (struct item_loop){ .item = r->item };
	return l;
}

/* Returns the loop that has the run or grid in one activation: that of its site, or the one around
 * it. */
static uint32_t loop_of(const struct item_runs *r, const struct packed_run *run)
{
	uint32_t own = (uint32_t)r->table->sites[run->site].loop;

	return run->is_grid ? (uint32_t)r->table->loops[own].parent : own;
}

static struct strand strand_of(const struct item_runs *r, const struct packed_run *run)
{
	return strand_make(run, (uint32_t)r->table->sites[run->site].loop);
}

/* Keep a run of an outermost loop. */
static int keep(struct item_runs *r, uint32_t number, const struct packed_run *run, struct err *err)
{
	struct item_loop *loop = item_runs_loop(r, number);
	struct item_run *kept = array_push(&r->list, 1, err);
	uint64_t *root = loop->first || !kept ? NULL : array_push(&r->roots, 1, err);

	if (!kept || (!loop->first && !root))
		return err ? err->code : ERR_NOMEM;
	if (root)
		*root = (uint64_t)r->places[number] << 32 | number;
	*kept = (struct item_run){ strand_of(r, run), 0 };
	if (loop->last)
		((struct item_run *)r->list.data)[loop->last - 1].next = r->list.count;
	else
		loop->first = r->list.count;
	loop->last = r->list.count;
	return 0;
}

/* Process the run or grid that begins at `e`. */
static int see_run(struct item_runs *r, const struct event *e, uint64_t left, struct err *err)
{
	struct packed_run run;
	const char *fault = packed_run_get(&run, e, left) ? packed_run_fault(&run, r->table)
	                                                  : "it is not a record with all its parts";
	uint32_t number;

	if (fault)
		return err_set(err, ERR_FORMAT, "a run or grid of site %" PRIu32 ": %s",
		               e->point & EVENT_ID_MASK, fault);
	number = loop_of(r, &run);
	r->count++;
	if (r->table->loops[number].parent < 0)
		return keep(r, number, &run, err);
	if (!item_runs_loop(r, number)->is_entered)
		return err_set(err, ERR_FORMAT,
		               "a run of site %" PRIu32 " outside an activation of loop %" PRIu32,
		               run.site, number);
	item_runs_loop(r, number)->has_runs = true;
	return 0;
}

/* Process more of the work-item's events, whole records, and check their kinds and ids. Returns 0,
 * ERR_FORMAT, ERR_LIMIT or ERR_NOMEM. */
static int item_runs_see(struct item_runs *r, const struct event *events, uint64_t count,
                         struct err *err)
{
	int ret = 0;

	for (uint64_t i = 0; !ret && i < count; i += 1 + event_parts(events[i].point)) {
		uint32_t kind = events[i].point & EVENT_KIND_MASK;
		uint32_t id = events[i].point & EVENT_ID_MASK;
		bool is_loop = kind == EVENT_LOOP || kind == EVENT_EPOCH;

		if (kind > EVENT_SIZE)
			ret = see_run(r, &events[i], count - i, err);
		else if (id >= (is_loop ? r->table->loop_count : r->table->site_count))
			ret = err_set(err, ERR_FORMAT, "there is no %s %" PRIu32,
			              is_loop ? "loop" : "site", id);
		else if (kind == EVENT_LOOP)
			item_runs_loop(r, id)->is_entered = true;
	}
	return ret;
}

static int compare_roots(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* End the first pass over the events. */
static void item_runs_end(struct item_runs *r)
{
	const uint64_t *roots = r->roots.data;

	if (r->roots.count > 1)
		qsort(r->roots.data, r->roots.count, sizeof(uint64_t), compare_roots);
	for (size_t i = 0; i < r->roots.count; i++)
		item_runs_loop(r, (uint32_t)roots[i])->is_entered = false;
}

/* Move the runs of an outermost loop to *to. Returns 0 or ERR_NOMEM. */
static int item_runs_take(struct item_runs *r, uint32_t loop, struct strand_list *to,
                          struct err *err)
{
	const struct item_run *list = r->list.data;
	struct item_loop *l = item_runs_loop(r, loop);

	for (; l->first; l->first = list[l->first - 1].next) {
		struct strand *s = strand_list_push(to, err);

		if (!s)
			return ERR_NOMEM;
		*s = list[l->first - 1].strand;
		r->collected++;
	}
	return 0;
}

/* Whether entering `other` ends an activation of `loop`: it is that loop or one around it. A loop
 * around another has a lower number. */
static bool ends(const struct item_runs *r, uint32_t loop, uint32_t other)
{
	int64_t at = loop;

	while (at > (int64_t)other)
		at = r->table->loops[at].parent;
	return at == (int64_t)other;
}

/* Add to *to the runs of the activation of `loop` that has just begun, as far as they are among
 * these events, which follow. *is_over becomes whether it ends in them. Returns 0 or ERR_NOMEM. */
static int item_runs_collect(struct item_runs *r, uint32_t loop, const struct event *events,
                             uint64_t count, struct strand_list *to, bool *is_over, struct err *err)
{
	*is_over = false;
	for (uint64_t i = 0; i < count; i += 1 + event_parts(events[i].point)) {
		uint32_t kind = events[i].point & EVENT_KIND_MASK;
		struct packed_run run;
		struct strand *s;

		*is_over = kind == EVENT_LOOP && ends(r, loop, events[i].point & EVENT_ID_MASK);
		if (*is_over)
			break;
		if (kind <= EVENT_SIZE || !packed_run_get(&run, &events[i], count - i) ||
		    loop_of(r, &run) != loop)
			continue;
		s = strand_list_push(to, err);
		if (!s)
			return ERR_NOMEM;
		*s = strand_of(r, &run);
		r->collected++;
	}
	return 0;
}

/* The approximate number of events of a piece: 16 KB, so that the pieces of a warp's lanes stay in
 * the cache. */
enum { PIECE_EVENTS = 1024 };

/* An activation that the work-item is in. */
struct frame {
	struct activation activation;
	uint64_t epoch;  /* of events that are not packed: iteration, low 32 bits zero */
	uint64_t inside; /* events before its first one, including its EVENT_LOOP */
};

enum phase { AS_THEY_ARE, EVENTS, ROOTS, ENDED };

struct expander {
	const struct kernel_table *table;
	struct item_runs runs;
	struct frame *frames; /* room for the deepest nest: frames[i] is of a loop of depth i + 1 */
	size_t deepest, depth; /* allocated frames; frames in use */
	size_t next_root;      /* of runs.roots */
	bool has_size;
	struct event size; /* of the next access */
	enum phase phase;
	struct item_cursor main, ahead; /* `ahead` looks for the runs of an activation */
	uint64_t at;                    /* in the window of `main` */
	struct event_sink out;
	uint64_t taken; /* events of `out` returned */
};

int expander_create(struct expander **out, const struct kernel_table *t, struct err *err)
{
	struct expander *x = array_alloc(1, sizeof(*x), "expander", err);
	int ret;

	if (!x)
		return ERR_NOMEM;
	x->table = t;
	for (size_t i = 0; i < t->loop_count; i++)
		if (t->loops[i].depth > x->deepest)
			x->deepest = t->loops[i].depth;
	ret = item_runs_init(&x->runs, t, err);
	x->frames = array_alloc(x->deepest, sizeof(*x->frames), "nested loops", err);
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
	for (size_t i = 0; x->frames && i < x->deepest; i++)
		activation_release(&x->frames[i].activation);
	item_runs_release(&x->runs);
	item_cursor_release(&x->main);
	item_cursor_release(&x->ahead);
	event_sink_release(&x->out);
	free(x->frames);
	free(x);
}

/* Collect the runs of an activation of an inner loop, whose EVENT_LOOP is at x->at. */
static int collect(struct expander *x, uint32_t loop, struct strand_list *to, struct err *err)
{
	bool is_over = false;
	int ret;

	if (!item_runs_loop(&x->runs, loop)->has_runs)
		return 0;
	ret = item_runs_collect(&x->runs, loop, x->main.window + x->at + 1,
	                        x->main.count - x->at - 1, to, &is_over, err);
	if (ret || is_over)
		return ret;
	item_cursor_start(&x->ahead, &x->main.from);
	x->ahead.place = x->main.place;
	do {
		ret = item_cursor_fill(&x->ahead, err);
		if (!ret)
			ret = item_runs_collect(&x->runs, loop, x->ahead.window, x->ahead.count, to,
			                        &is_over, err);
	} while (!ret && !is_over && x->ahead.count);
	return ret;
}

/* Begin an activation of `loop`, with the rows that grids of the surrounding loop have in it. */
static int open_frame(struct expander *x, uint32_t loop, struct activation *around, struct err *err)
{
	struct frame *f = &x->frames[x->depth];
	struct strand_list *strands = &f->activation.pending;
	int ret;

	activation_start(&f->activation, loop);
	ret = around ? collect(x, loop, strands, err)
	             : item_runs_take(&x->runs, loop, strands, err);
	if (!ret && around)
		ret = activation_take_rows(around, loop, strands, err);
	if (ret)
		return ret;
	f->epoch = 0;
	f->inside = event_sink_total(&x->out);
	x->depth++;
	return activation_begin(&f->activation, err);
}

/* End the innermost activation. One without accesses leaves no event. */
static int close_frame(struct expander *x, struct err *err)
{
	struct frame *f = &x->frames[x->depth - 1];
	int ret = activation_finish(&f->activation, &x->out, err);

	if (ret)
		return ret;
	x->depth--;
	if (x->depth && event_sink_total(&x->out) == f->inside)
		x->out.count--; /* its EVENT_LOOP, which was not returned yet */
	return 0;
}

/* Enter an outermost loop, once. */
static int open_root(struct expander *x, uint32_t loop, struct err *err)
{
	struct item_loop *l = item_runs_loop(&x->runs, loop);

	if (l->is_entered)
		return err_set(err, ERR_FORMAT,
		               "loop %" PRIu32 ", which lies in no other, is entered twice", loop);
	l->is_entered = true;
	return open_frame(x, loop, NULL, err);
}

/* Outside all loops: append the loops before `position` that have only runs. */
static int put_roots(struct expander *x, uint32_t position, struct err *err)
{
	const uint64_t *roots = x->runs.roots.data;
	int ret = 0;

	while (x->next_root < x->runs.roots.count && !ret) {
		uint32_t loop = (uint32_t)roots[x->next_root];

		if (roots[x->next_root] >> 32 >= position)
			break;
		x->next_root++;
		if (item_runs_loop(&x->runs, loop)->is_entered)
			continue;
		ret = open_root(x, loop, err);
		if (!ret)
			ret = close_frame(x, err); /* otherwise the next call closes it */
	}
	return ret;
}

/* Make the innermost activation one of `loop`, or leave all loops for -1. */
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

/* Append the packed accesses that come before the event of a site in a loop. */
static int advance_to(struct expander *x, const struct event *e, struct err *err)
{
	struct frame *f = &x->frames[x->depth - 1];
	struct activation *a = &f->activation;
	uint64_t iteration = f->epoch | e->iteration;
	int ret = activation_advance(a, &x->out, iteration, loop_places_of_site(e->point), err);

	if (!ret && a->done < a->active.count && a->active.at[a->done].site == e->point)
		ret = err_set(err, ERR_FORMAT,
		              "site %" PRIu32 " has two records for iteration %" PRIu64, e->point,
		              iteration);
	return ret ? ret : activation_epoch(a, &x->out, iteration, err);
}

/* Append the event of a site, after the packed accesses that come before it. */
static int take_site(struct expander *x, const struct event *e, struct err *err)
{
	int32_t loop = x->table->sites[e->point].loop;
	int ret = 0;

	if (loop < 0 || !x->depth || x->frames[x->depth - 1].activation.loop != (uint32_t)loop)
		ret = stand_in(x, loop, err);
	if (!ret)
		ret = loop < 0 ? put_roots(x, loop_places_of_site(e->point), err)
		               : advance_to(x, e, err);
	if (!ret)
		ret = event_sink_reserve(&x->out, 2, err);
	if (ret)
		return ret;
	if (x->has_size)
		event_sink_put(&x->out, x->size.value, x->size.point, x->size.iteration);
	event_sink_put(&x->out, e->value, e->point, e->iteration);
	x->has_size = false;
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

static int lacks_access(const struct expander *x, struct err *err)
{
	return err_set(err, ERR_FORMAT, "a size for site %" PRIu32 " without its access",
	               x->size.point & EVENT_ID_MASK);
}

/* Process one event; runs and grids were found where their activation begins. */
static int take(struct expander *x, const struct event *e, struct err *err)
{
	uint32_t kind = e->point & EVENT_KIND_MASK;

	if (kind > EVENT_SIZE)
		return 0;
	if (x->has_size && e->point != (x->size.point & EVENT_ID_MASK)) /* EVENT_SITE is 0 */
		return lacks_access(x, err);
	if (kind == EVENT_SITE)
		return take_site(x, e, err);
	if (kind == EVENT_LOOP)
		return take_loop(x, e, err);
	if (kind == EVENT_EPOCH)
		return take_epoch(x, e, err);
	x->size = *e;
	x->has_size = true;
	return 0;
}

/* Continue the stream. Returns 0 at its end, EVENT_SINK_FULL before it, or an error. */
static int go_on(struct expander *x, struct err *err)
{
	int ret = 0;

	while (!ret && x->phase == EVENTS) {
		if (x->at < x->main.count) {
			ret = take(x, &x->main.window[x->at], err);
			x->at += !ret;
			continue;
		}
		ret = item_cursor_fill(&x->main, err);
		x->at = 0;
		if (!ret && !x->main.count)
			x->phase = ROOTS;
	}
	if (ret || x->phase == ENDED)
		return ret;
	ret = stand_in(x, -1, err);
	if (!ret && x->has_size)
		ret = lacks_access(x, err);
	if (!ret)
		ret = put_roots(x, UINT32_MAX, err);
	if (!ret && x->runs.collected != x->runs.count)
		ret = err_set(err, ERR_FORMAT, "runs outside an activation of their loop: %" PRIu64,
		              x->runs.count - x->runs.collected);
	if (!ret)
		x->phase = ENDED;
	return ret;
}

/* Process all events once, for their runs. */
static int look_through(struct expander *x, const struct item_events *from, struct err *err)
{
	int ret;

	item_runs_begin(&x->runs);
	item_cursor_start(&x->main, from);
	do {
		ret = item_cursor_fill(&x->main, err);
		if (!ret)
			ret = item_runs_see(&x->runs, x->main.window, x->main.count, err);
	} while (!ret && x->main.count);
	item_runs_end(&x->runs);
	return ret;
}

int expander_start(struct expander *x, const struct item_events *from, struct err *err)
{
	int ret = 0;

	x->depth = x->next_root = 0;
	x->has_size = false;
	x->at = x->taken = 0;
	x->out.count = x->out.passed = 0;
	x->out.room = PIECE_EVENTS + 2 * x->deepest;
	x->out.is_outline = false;
	x->runs.count = 0;
	if (!item_events_are_plain(from))
		ret = look_through(x, from, err);
	x->phase = x->runs.count ? EVENTS : AS_THEY_ARE;
	item_cursor_start(&x->main, from);
	return ret;
}

/* Returns the EVENT_LOOPs at the end of the sink that may be removed: their activations have no
 * access yet. */
static uint64_t count_open(const struct expander *x)
{
	uint64_t open = 0;

	while (x->depth > 1 + open &&
	       x->frames[x->depth - 1 - open].inside == event_sink_total(&x->out) - open)
		open++;
	return open;
}

int expander_next(struct expander *x, const struct event **events, uint64_t *count, struct err *err)
{
	struct event_sink *s = &x->out;
	int ret;

	*count = 0;
	if (x->phase == AS_THEY_ARE) {
		ret = item_cursor_fill(&x->main, err);
		*events = x->main.window;
		*count = ret ? 0 : x->main.count;
		return ret;
	}
	if (x->taken) {
		memmove(s->events, s->events + x->taken,
		        (s->count - x->taken) * sizeof(*s->events));
		s->count -= x->taken;
		s->passed += x->taken;
		x->taken = 0;
	}
	do {
		ret = x->phase == ENDED ? 0 : go_on(x, err);
		if (ret < 0)
			return ret;
		x->taken = s->count - (ret ? count_open(x) : 0);
		s->room *= ret && !x->taken ? 2 : 1; /* one iteration has more events */
	} while (ret && !x->taken);
	*events = s->events;
	*count = x->taken;
	return 0;
}

int expander_outline(struct expander *x, const struct event *events, uint64_t count,
                     const struct event **out, uint64_t *out_count, struct err *err)
{
	const struct item_events from = { .events = events, .count = count };
	int ret = expander_start(x, &from, err);

	*out = events;
	*out_count = count;
	if (ret || x->phase == AS_THEY_ARE)
		return ret;
	x->out.is_outline = true;
	x->out.room = UINT64_MAX;
	ret = go_on(x, err);
	*out = x->out.events;
	*out_count = x->out.count;
	return ret;
}
