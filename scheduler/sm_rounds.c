/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_rounds.h"

#include "array.h"
#include "err.h"

#include <assert.h>
#include <inttypes.h>
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

#define CYCLE_LAST (MEMORY_LATER - 1)

enum { HORIZON_MIN = 2 };

static uint64_t round_end(const struct sm_rounds *r, uint64_t begin)
{
	uint64_t cycles = r->port->horizon_cycles - 1;

	return cycles < CYCLE_LAST - begin ? begin + cycles : CYCLE_LAST;
}

int sm_rounds_init(struct sm_rounds *r, const struct memory_port *port, struct err *err)
{
	*r = (struct sm_rounds){ port, UINT64_MAX };
	if (!port->settle)
		return 0;
	if (port->horizon_cycles < HORIZON_MIN)
		return err_set(err, ERR_CONFIG,
		               "what lies below L1 answers after %" PRIu64
		               " cycles: expected at least %d",
		               port->horizon_cycles, HORIZON_MIN);
	r->horizon = round_end(r, 0);
	return 0;
}

void sm_rounds_join(const struct sm_rounds *r, struct sm_worker *w)
{
	if (w->horizon == r->horizon)
		return;
	w->horizon = r->horizon;
	sm_begin_round(w->sm, r->horizon);
}

/* Whether the SM may still make requests other than kept ones. */
static bool is_live(const struct sm_worker *w, bool are_left)
{
	return w->resident || (w->sm && are_left);
}

bool sm_rounds_is_over(const struct sm_rounds *r, const struct sm_worker *workers, uint32_t count,
                       bool are_left)
{
	for (uint32_t i = 0; i < count; i++)
		if (workers[i].is_running ||
		    (is_live(&workers[i], are_left) && workers[i].now < r->horizon))
			return false;
	return true;
}

/* Returns the begin of the next round: the first cycle in which an SM may make a request or has
 * kept one. CYCLE_LAST: there is none. */
static uint64_t next_begin(const struct sm_rounds *r, struct sm_worker *workers, uint32_t count,
                           bool are_left)
{
	uint64_t begin = CYCLE_LAST;

	for (uint32_t i = 0; i < count; i++) {
		struct sm_worker *w = &workers[i];

		if (!w->sm)
			continue;
		sm_rounds_join(r, w);
		if (is_live(w, are_left) && w->now < begin)
			begin = w->now;
		if (sm_kept_from(w->sm) < begin)
			begin = sm_kept_from(w->sm);
	}
	assert(begin >= r->horizon);
	return begin;
}

static void begin_round(struct sm_rounds *r, uint64_t begin)
{
	r->port->settle(r->port->context, begin);
	r->horizon = round_end(r, begin);
}

void sm_rounds_next(struct sm_rounds *r, struct sm_worker *workers, uint32_t count, bool are_left)
{
	begin_round(r, next_begin(r, workers, count, are_left));
}

void sm_rounds_end(struct sm_rounds *r, struct sm_worker *workers, uint32_t count)
{
	uint64_t begin;

	/* Kept requests also go out in rounds. */
	while ((begin = next_begin(r, workers, count, false)) < CYCLE_LAST)
		begin_round(r, begin);
	r->port->settle(r->port->context, UINT64_MAX);
}
