/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_private.h"

#include "array.h"
#include "err.h"
#include "reorder_unit.h"
#include "side_counts.h"

#include <assert.h>
#include <stdlib.h>

/* Wake the schedulers: the port takes an access from this cycle on, earlier than they assume. */
static void wake_schedulers(struct sm *sm, uint64_t cycle)
{
	for (uint32_t i = 0; i < sm->shape.schedulers; i++)
		if (cycle < sm->schedulers[i].wake)
			sm->schedulers[i].wake = cycle;
	if (sm->reorder && cycle < sm->next_grant)
		sm->next_grant = cycle;
}

void sm_update_port(struct sm *sm)
{
	uint64_t before = sm->port_free, says;

	if (sm->kept.requests.count)
		return;
	says = sm->port->port_free(sm->port->context, sm->shape.number);
	sm->port_free = says > sm->sent_until ? says : sm->sent_until;
	if (sm->port_free < before)
		wake_schedulers(sm, sm->port_free);
}

/* Deliver an answer to `waiter`, which awaits one; `cycle` >= sm_now(). */
static void sm_answer(struct sm *sm, uint32_t waiter, uint64_t cycle)
{
	struct sm_warp *w = &sm->warps[waiter];

	assert(w->awaited && cycle >= sm->now && cycle < MEMORY_LATER);
	if (cycle > w->data)
		w->data = cycle;
	sm->awaited--;
	if (--w->awaited || *w->ready != MEMORY_LATER)
		return;
	sm_set_ready(sm, waiter, w->data);
	if (w->data < w->scheduler->wake) /* also at its end, for prr's turn */
		w->scheduler->wake = w->data;
	sm->busy_data = w->data;
}

/* Send the kept requests up to the horizon. */
static void send_kept(struct sm *sm)
{
	size_t sent = 0;

	for (; sent < sm->kept.requests.count; sent++) {
		const struct kept_request *k = kept_requests_at(&sm->kept, sent);
		uint64_t there;

		if (k->cycle > sm->horizon)
			break;
		there = sm->port->request(sm->port->context, sm->shape.number, &k->request,
		                          k->cycle);
		if (there != MEMORY_LATER && k->request.kind != SITE_WRITE)
			sm_answer(sm, k->request.waiter, there);
	}
	kept_requests_drop(&sm->kept, sent);
}

enum { CACHE_LINE_BYTES = 64 };

static void fetch(const void *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += CACHE_LINE_BYTES)
		__builtin_prefetch((const char *)from + i);
}

/* Prefetch what a warp needs for its next access, other than the warp itself. */
static void fetch_access(const struct sm *sm, const struct sm_warp *w)
{
	const struct group_stream *stream = sm->groups[w->group_slot].stream;
	const struct stream_strand *strands;

	if (*w->ready == NEVER || !stream || sm_warp_is_at_end(w))
		return;
	strands = stream->bundles.strands.data;
	if (w->next.bundle)
		__builtin_prefetch(strands + w->next.bundle->first_strand);
	if (w->next.at->request_count)
		__builtin_prefetch(pattern_set_at(&stream->patterns, w->next.requests->pattern));
}

/*
 * Other SMs have used the processor's caches for a round. So what the warps need next is prefetched
 * for all of them at once, after the structures that locate it.
 */
static void fetch_warps(const struct sm *sm)
{
	const uint32_t slots = sm->shape.group_slots * sm->shape.warps_per_group;

	for (uint32_t i = 0; i < sm->shape.group_slots; i++)
		if (sm->groups[i].stream)
			fetch(sm->groups[i].stream, sizeof(*sm->groups[i].stream));
	fetch(sm->warps, slots * sizeof(*sm->warps));
	for (uint32_t i = 0; i < slots; i++) {
		__builtin_prefetch(sm->warps[i].next.at);
		__builtin_prefetch(sm->warps[i].next.requests);
		__builtin_prefetch(sm->warps[i].next.bundle);
	}
	for (uint32_t i = 0; i < slots; i++)
		fetch_access(sm, &sm->warps[i]);
}

void sm_begin_round(struct sm *sm, uint64_t horizon)
{
	const struct memory_port *port = sm->port;
	struct memory_answer answer;

	assert(horizon > sm->horizon);
	sm->horizon = horizon;
	if (sm->shape.has_cold_rounds)
		fetch_warps(sm);
	while (port->next_answer && port->next_answer(port->context, sm->shape.number, &answer))
		sm_answer(sm, answer.waiter, answer.cycle);
	send_kept(sm);
	if (port->port_free)
		sm_update_port(sm);
	if (!sm->is_one_by_one)
		return;
	sm->busy_until = sm->busy_data > sm->port_free ? sm->busy_data : sm->port_free;
	if (sm->busy_until < sm->schedulers->wake)
		sm->schedulers->wake = sm->busy_until;
}

uint64_t sm_kept_from(struct sm *sm)
{
	return sm->kept.requests.count ? kept_requests_at(&sm->kept, 0)->cycle : UINT64_MAX;
}

bool sm_is_out_of_memory(const struct sm *sm)
{
	return sm->kept.is_out_of_memory;
}

static void init_schedulers(struct sm *sm)
{
	uint32_t slots = sm->shape.group_slots * sm->shape.warps_per_group;
	uint32_t count = sm->shape.schedulers;
	uint64_t *ready = sm->ready, *since = sm->since;

	for (uint32_t i = 0; i < slots; i++)
		ready[i] = NEVER;
	for (uint32_t i = 0; i < count; i++) {
		struct sm_scheduler *s = &sm->schedulers[i];

		s->queue.ready = ready;
		s->queue.since = since;
		s->queue.count = slots / count + (i < slots % count);
		s->queue.draws = issue_order_seed(&sm->shape.order, sm->shape.number);
		s->wake = NEVER;
		s->held = NO_WARP;
		for (uint32_t k = 0; k < s->queue.count; k++) {
			sm->warps[k * count + i].scheduler = s;
			sm->warps[k * count + i].ready = ready++;
			sm->warps[k * count + i].since = since++;
		}
	}
}

/* The sites that in_order need not wait for (sm.h). */
static int find_independent(struct sm *sm, struct err *err)
{
	const struct kernel_table *t = sm->table;

	sm->is_independent = array_alloc(t->site_count, sizeof(bool), "sites", err);
	if (!sm->is_independent)
		return ERR_NOMEM;
	for (size_t i = 0; i < t->companion_count; i++) {
		const struct site *site = &t->sites[t->companions[i].site];
		const struct site *leader = &t->sites[t->companions[i].leader];

		sm->is_independent[t->companions[i].site] = site->kind == SITE_READ &&
		                                            site_kind_is_access(leader->kind) &&
		                                            !side_counts_take(leader);
	}
	return 0;
}

static int create_parts(struct sm *sm, struct err *err)
{
	const struct sm_shape *shape = &sm->shape;
	size_t slots = (size_t)shape->group_slots * shape->warps_per_group;

	sm->groups = array_alloc(shape->group_slots, sizeof(*sm->groups), "group slots", err);
	sm->warps = array_alloc(slots, sizeof(*sm->warps), "warp slots", err);
	sm->ready = array_alloc(slots, sizeof(*sm->ready), "warp slots", err);
	sm->since = array_alloc(slots, sizeof(*sm->since), "warp slots", err);
	sm->schedulers =
		array_alloc(shape->schedulers, sizeof(*sm->schedulers), "warp schedulers", err);
	if (!sm->groups || !sm->warps || !sm->ready || !sm->since || !sm->schedulers)
		return ERR_NOMEM;
	if (shape->order.kind == ISSUE_ORDER_random &&
	    ready_set_init(&sm->schedulers->queue.waiting, (uint32_t)slots, err))
		return ERR_NOMEM;
	if (shape->is_in_order && find_independent(sm, err))
		return ERR_NOMEM;
	if (shape->order.kind != ISSUE_ORDER_reorder)
		return 0;
	return reorder_unit_create(&sm->reorder, sm->table, shape->group_slots,
	                           shape->warps_per_group, err);
}

int sm_create(struct sm **out, const struct sm_shape *shape, const struct kernel_table *table,
              const struct memory_port *port, struct err *err)
{
	struct sm *sm = array_alloc(1, sizeof(*sm), "SM", err);

	if (!sm)
		return ERR_NOMEM;
	sm->shape = *shape;
	sm->table = table;
	sm->port = port;
	sm->next_end = sm->next_grant = NEVER;
	sm->horizon = shape->horizon;
	sm->has_port_limit = shape->request_cycles || port->port_free;
	kept_requests_init(&sm->kept);
	if (issue_order_unit(&shape->order) == ISSUE_ITEMS) {
		sm->is_one_by_one = true;
		sm->shape.schedulers = 1;
		sm->shape.is_in_order = false;
	}
	if (create_parts(sm, err)) {
		sm_free(sm);
		return ERR_NOMEM;
	}
	init_schedulers(sm);
	*out = sm;
	return 0;
}

void sm_free(struct sm *sm)
{
	if (!sm)
		return;
	free(sm->groups);
	free(sm->warps);
	free(sm->ready);
	free(sm->since);
	if (sm->schedulers)
		ready_set_release(&sm->schedulers->queue.waiting);
	free(sm->schedulers);
	free(sm->is_independent);
	reorder_unit_free(sm->reorder);
	kept_requests_release(&sm->kept);
	free(sm);
}

void sm_start_group(struct sm *sm, uint32_t slot, const struct group_stream *stream)
{
	uint32_t first = slot * sm->shape.warps_per_group;

	assert(!sm->groups[slot].stream && stream->warp_count <= sm->shape.warps_per_group);
	sm->groups[slot] = (struct sm_group){ stream, stream->warp_count, 0 };
	sm->resident++;
	sm->counts.groups++;
	if (!stream->warp_count)
		sm->next_end = sm->now;
	for (uint32_t i = 0; i < stream->warp_count; i++) {
		struct sm_warp *w = &sm->warps[first + i];

		stream_cursor_start(&w->next, stream, i);
		w->data = sm->now;
		w->group_slot = slot;
		w->warp = i;
		*w->since = ++sm->number;
		sm_wake(sm, first + i, sm->now);
	}
	if (sm->reorder)
		reorder_unit_start_group(sm->reorder, slot, stream);
}

void sm_open_barrier(struct sm *sm, uint32_t slot, uint64_t cycle)
{
	struct sm_group *g = &sm->groups[slot];
	uint32_t first = slot * sm->shape.warps_per_group;

	if (!g->waiting || g->waiting < g->unfinished)
		return;
	g->waiting = 0;
	for (uint32_t i = first; i < first + g->stream->warp_count; i++) {
		struct sm_warp *w = &sm->warps[i];

		if (!sm_warp_is_at_end(w) && *w->ready == NEVER) {
			/* pass the barrier: until now it distinguished waiting from finished warps
			 */
			stream_cursor_next(&w->next, g->stream);
			sm_wake(sm, i, cycle);
		}
	}
}

/* Retire the warps of a slot that have finished by now. Returns whether the group has ended. */
static bool retire(struct sm *sm, uint32_t slot)
{
	struct sm_group *g = &sm->groups[slot];
	uint32_t first = slot * sm->shape.warps_per_group;

	if (!g->stream)
		return false;
	for (uint32_t i = first; i < first + g->stream->warp_count; i++) {
		struct sm_warp *w = &sm->warps[i];

		if (!sm_warp_is_at_end(w) || *w->ready == NEVER)
			continue;
		if (*w->ready > sm->now) {
			if (*w->ready < sm->next_end)
				sm->next_end = *w->ready;
			continue;
		}
		sm_stop(sm, i);
		g->unfinished--;
	}
	sm_open_barrier(sm, slot, sm->now);
	if (g->unfinished)
		return false;
	g->stream = NULL;
	sm->resident--;
	if (sm->reorder)
		reorder_unit_end_group(sm->reorder, slot);
	return true;
}

/* Retire all warps that have finished by now. Returns true after the first group that this ends;
 * there may be more. */
static bool retire_all(struct sm *sm, uint32_t *slot)
{
	sm->next_end = NEVER;
	for (uint32_t i = 0; i < sm->shape.group_slots; i++)
		if (retire(sm, i)) {
			*slot = i;
			sm->next_end = sm->now; /* some slots were not checked yet */
			return true;
		}
	return false;
}

/* The next cycle in which something can happen. */
static uint64_t next_cycle(const struct sm *sm)
{
	uint64_t next = sm->next_end < sm->next_grant ? sm->next_end : sm->next_grant;

	for (uint32_t i = 0; i < sm->shape.schedulers; i++)
		if (sm->schedulers[i].wake < next)
			next = sm->schedulers[i].wake;
	return next > sm->now ? next : sm->now + 1; /* some are woken too late to issue now */
}

/* Whether the SM waits for something that happens in an unknown cycle. */
static bool awaits(const struct sm *sm)
{
	return sm->awaited || sm->kept.requests.count || sm->port_free == MEMORY_LATER;
}

bool sm_run(struct sm *sm, uint64_t until, uint32_t *slot)
{
	if (until > sm->horizon)
		until = sm->horizon;
	while (sm->resident) {
		while (sm->next_end <= sm->now) /* passing a barrier may finish more warps */
			if (retire_all(sm, slot))
				return true;
		if (sm->now >= until)
			return false;
		sm_issue(sm);
		sm->now = next_cycle(sm);
		if (sm->now > until && awaits(sm))
			sm->now = until;
		assert(sm->now < MEMORY_LATER);
	}
	return false;
}

uint64_t sm_now(const struct sm *sm)
{
	return sm->now;
}

const struct sm_counts *sm_counts(const struct sm *sm)
{
	return &sm->counts;
}
