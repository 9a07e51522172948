/* SPDX-License-Identifier: Apache-2.0 */
#include "item_runs.h"

#include "err.h"
#include "kernel_table.h"
#include "kernel_table_limits.h"
#include "loop_places.h"

#include <inttypes.h>
#include <stdlib.h>

/* Runs that a loop outside all others has in one work-item: 2^20 take 80 MB. */
#define RUNS_MAX ((size_t)1 << 20)

int item_runs_init(struct item_runs *r, const struct kernel_table *t, struct err *err)
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

void item_runs_release(struct item_runs *r)
{
	array_release(&r->list);
	array_release(&r->roots);
	free(r->loops);
	free(r->places);
	r->loops = NULL;
	r->places = NULL;
}

void item_runs_begin(struct item_runs *r)
{
	array_clear(&r->list);
	array_clear(&r->roots);
	r->count = r->collected = 0;
	r->item++;
}

struct item_loop *item_runs_loop(const struct item_runs *r, uint32_t loop)
{
	struct item_loop *l = &r->loops[loop];

	if (l->item != r->item)
		*l = (struct item_loop){ .item = r->item };
	return l;
}

/* The loop in one activation of which a run or grid lies: that of its site, or the one around it.
 */
static uint32_t loop_of(const struct item_runs *r, const struct packed_run *run)
{
	uint32_t own = (uint32_t)r->table->sites[run->site].loop;

	return run->is_grid ? (uint32_t)r->table->loops[own].parent : own;
}

static struct strand strand_of(const struct item_runs *r, const struct packed_run *run)
{
	return strand_make(run, (uint32_t)r->table->sites[run->site].loop);
}

/* Keep a run of a loop that lies in no other. */
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

/* See the run or grid that begins at `e`. */
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

int item_runs_see(struct item_runs *r, const struct event *events, uint64_t count, struct err *err)
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

void item_runs_end(struct item_runs *r)
{
	const uint64_t *roots = r->roots.data;

	if (r->roots.count > 1)
		qsort(r->roots.data, r->roots.count, sizeof(uint64_t), compare_roots);
	for (size_t i = 0; i < r->roots.count; i++)
		item_runs_loop(r, (uint32_t)roots[i])->is_entered = false;
}

int item_runs_take(struct item_runs *r, uint32_t loop, struct strand_list *to, struct err *err)
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

/* Whether entering `other` ends an activation of `loop`: it is that loop or lies around it. A loop
 * around another has a lower number. */
static bool ends(const struct item_runs *r, uint32_t loop, uint32_t other)
{
	int64_t at = loop;

	while (at > (int64_t)other)
		at = r->table->loops[at].parent;
	return at == (int64_t)other;
}

int item_runs_collect(struct item_runs *r, uint32_t loop, const struct event *events,
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
