/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_worker.h"

#include "array.h"
#include "err.h"

#include <assert.h>
#include <stdlib.h>

int sm_worker_init(struct sm_worker *w, const struct sm_shape *shape,
                   const struct kernel_table *table, const struct memory_port *port,
                   struct err *err)
{
	*w = (struct sm_worker){ .slot_count = shape->group_slots, .horizon = shape->horizon };
	w->slots = array_alloc(w->slot_count, sizeof(*w->slots), "resident groups", err);
	return w->slots ? sm_create(&w->sm, shape, table, port, err) : ERR_NOMEM;
}

void sm_worker_release(struct sm_worker *w)
{
	sm_free(w->sm);
	free(w->slots);
	*w = (struct sm_worker){ 0 };
}

uint32_t sm_worker_take(struct sm_worker *w)
{
	uint32_t slot = 0;

	while (w->slots[slot].is_taken)
		slot++;
	assert(slot < w->slot_count);
	w->slots[slot].is_taken = true;
	w->unformed++;
	w->resident++;
	return slot;
}

void sm_worker_give(struct sm_worker *w, uint32_t slot, struct group_stream *stream)
{
	w->slots[slot].stream = stream;
	w->slots[slot].is_new = true;
	w->unformed--;
}

static void start_new(struct sm_worker *w)
{
	for (uint32_t i = 0; i < w->slot_count; i++) {
		if (!w->slots[i].is_new)
			continue;
		w->slots[i].is_new = false;
		sm_start_group(w->sm, i, w->slots[i].stream);
	}
}

uint32_t sm_worker_run(struct sm_worker *w, uint64_t until, bool stops_at_end)
{
	uint32_t slot, ended = 0;

	start_new(w);
	while (sm_run(w->sm, until, &slot)) {
		w->slots[slot].has_ended = true;
		ended++;
		if (stops_at_end)
			until = sm_now(w->sm);
	}
	return ended;
}

struct group_stream *sm_worker_leave(struct sm_worker *w)
{
	for (uint32_t i = 0; i < w->slot_count; i++) {
		struct group_stream *stream = w->slots[i].stream;

		if (!w->slots[i].has_ended)
			continue;
		w->slots[i] = (struct sm_worker_slot){ 0 };
		w->resident--;
		return stream;
	}
	return NULL;
}
