/* SPDX-License-Identifier: Apache-2.0 */
#include "item_runs.h"

#include "err.h"
#include "kernel_table.h"
#include "kernel_table_limits.h"
#include "launch_format.h"
#include "loop_places.h"

#include <inttypes.h>
#include <stdlib.h>

int item_runs_init(struct item_runs *r, const struct kernel_table *t, struct err *err)
{
	*r = (struct item_runs){ .table = t };
	array_init(&r->list, sizeof(struct item_run), LAUNCH_GROUP_EVENTS_MAX, "runs");
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

struct item_loop *item_runs_loop(const struct item_runs *r, uint32_t loop)
{
	struct item_loop *l = &r->loops[loop];

	if (l->item != r->item)
		*l = (struct item_loop){ .item = r->item };
	return l;
}

/* Remember a run or grid: of which loop, and in which of its activations. */
static int add(struct item_runs *r, const struct packed_run *run, struct err *err)
{
	const struct loop *loops = r->table->loops;
	uint32_t own = (uint32_t)r->table->sites[run->site].loop;
	uint32_t number = run->is_grid ? (uint32_t)loops[own].parent : own;
	struct item_loop *loop = item_runs_loop(r, number);
	bool is_root = loops[number].parent < 0;
	struct item_run *kept;
	uint64_t *root;

	if (!is_root && !loop->found)
		return err_set(err, ERR_FORMAT,
		               "a run of site %" PRIu32 " outside an activation of loop %" PRIu32,
		               run->site, number);
	if (is_root && !loop->first) {
		root = array_push(&r->roots, 1, err);
		if (!root)
			return err->code;
		*root = (uint64_t)r->places[number] << 32 | number;
	}
	kept = array_push(&r->list, 1, err);
	if (!kept)
		return err->code;
	*kept = (struct item_run){ strand_make(run, own), loop->found, 0 };
	if (loop->last)
		((struct item_run *)r->list.data)[loop->last - 1].next = r->list.count;
	else
		loop->first = r->list.count;
	loop->last = r->list.count;
	return 0;
}

int item_runs_find(struct item_runs *r, const struct event *events, uint64_t count, struct err *err)
{
	array_clear(&r->list);
	array_clear(&r->roots);
	r->item++;
	for (uint64_t i = 0; i < count; i++) {
		uint32_t kind = events[i].point & EVENT_KIND_MASK;
		struct packed_run run;
		int ret;

		if (kind == EVENT_LOOP)
			item_runs_loop(r, events[i].point & EVENT_ID_MASK)->found++;
		if (kind != EVENT_RUN && kind != EVENT_GRID)
			continue;
		packed_run_get(&run, &events[i], count - i);
		ret = add(r, &run, err);
		if (ret)
			return ret;
		i += event_parts(events[i].point);
	}
	return 0;
}

size_t item_runs_take(struct item_runs *r, uint32_t loop, struct strand *strands)
{
	const struct item_run *list = r->list.data;
	struct item_loop *l = item_runs_loop(r, loop);
	size_t count = 0;

	while (l->first && list[l->first - 1].activation == l->entered) {
		strands[count++] = list[l->first - 1].strand;
		l->first = list[l->first - 1].next;
	}
	return count;
}
