/* SPDX-License-Identifier: Apache-2.0 */
#include "sm.h"

#include "array.h"
#include "err.h"
#include "group_stream.h"

#include <assert.h>
#include <stdlib.h>

#define NEVER UINT64_MAX

/* A warp slot. */
struct sm_warp {
	struct stream_cursor next; /* what it does next */
	uint32_t group_slot;
	uint32_t warp;                  /* of its group */
	struct sm_scheduler *scheduler; /* that it belongs to, always the same */
	uint64_t *ready, *since;        /* its places in that scheduler's queue */
};

struct sm_group {
	const struct group_stream *stream; /* NULL: the slot is empty */
	uint32_t unfinished;               /* warps */
	uint32_t waiting;                  /* of which at a barrier */
};

/*
 * Warp slot s is scheduler s % schedulers' warp s / schedulers, and the times of a scheduler's
 * warps lie together: ready[scheduler * stride + warp]. NEVER: at a barrier, or not there.
 */
struct sm_scheduler {
	struct issue_queue queue;
	uint64_t wake; /* no warp is ready before this cycle */
};

struct sm {
	struct sm_shape shape;
	const struct kernel_table *table;
	const struct memory_port *port;
	uint64_t now;
	uint64_t next_end;  /* no warp finishes before this cycle */
	uint64_t port_free; /* the memory port takes no access before this cycle */
	uint32_t first;     /* scheduler that issues first in a cycle */
	uint32_t resident;  /* groups */
	struct sm_group *groups;
	struct sm_warp *warps;
	uint64_t *ready; /* of all warps, by scheduler */
	uint64_t *since; /* likewise */
	uint64_t number; /* of what has happened in issue_queue.since */
	struct sm_scheduler *schedulers;
	struct sm_counts counts;
};

static void init_schedulers(struct sm *sm)
{
	uint32_t slots = sm->shape.group_slots * sm->shape.warps_per_group;
	uint32_t count = sm->shape.schedulers;
	uint64_t *ready = sm->ready, *since = sm->since;

	for (uint32_t i = 0; i < slots; i++)
		ready[i] = NEVER;
	for (uint32_t i = 0; i < count; i++) {
		struct sm_scheduler *s = &sm->schedulers[i];

		s->queue = (struct issue_queue){ .ready = ready,
			                         .since = since,
			                         .count = slots / count + (i < slots % count) };
		s->wake = NEVER;
		for (uint32_t k = 0; k < s->queue.count; k++) {
			sm->warps[k * count + i].scheduler = s;
			sm->warps[k * count + i].ready = ready++;
			sm->warps[k * count + i].since = since++;
		}
	}
}

int sm_create(struct sm **out, const struct sm_shape *shape, const struct kernel_table *table,
              const struct memory_port *port, struct err *err)
{
	size_t slots = (size_t)shape->group_slots * shape->warps_per_group;
	struct sm *sm = array_alloc(1, sizeof(*sm), "SM", err);

	if (!sm)
		return ERR_NOMEM;
	sm->shape = *shape;
	sm->table = table;
	sm->port = port;
	sm->next_end = NEVER;
	sm->groups = array_alloc(shape->group_slots, sizeof(*sm->groups), "group slots", err);
	sm->warps = array_alloc(slots, sizeof(*sm->warps), "warp slots", err);
	sm->ready = array_alloc(slots, sizeof(*sm->ready), "warp slots", err);
	sm->since = array_alloc(slots, sizeof(*sm->since), "warp slots", err);
	sm->schedulers =
		array_alloc(shape->schedulers, sizeof(*sm->schedulers), "warp schedulers", err);
	if (!sm->groups || !sm->warps || !sm->ready || !sm->since || !sm->schedulers) {
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
	free(sm->schedulers);
	free(sm);
}

/* Say when a warp can go on, or finishes. */
static void set_ready(struct sm *sm, uint32_t warp_slot, uint64_t cycle)
{
	const struct sm_warp *w = &sm->warps[warp_slot];

	*w->ready = cycle;
	if (w->next.at == w->next.end && cycle < sm->next_end)
		sm->next_end = cycle;
	if (w->next.at != w->next.end && cycle < w->scheduler->wake)
		w->scheduler->wake = cycle;
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
		w->group_slot = slot;
		w->warp = i;
		*w->since = ++sm->number;
		set_ready(sm, first + i, sm->now);
	}
}

/* When all unfinished warps of a group wait at a barrier, they go on at `cycle`. */
static void open_barrier(struct sm *sm, uint32_t slot, uint64_t cycle)
{
	struct sm_group *g = &sm->groups[slot];
	uint32_t first = slot * sm->shape.warps_per_group;

	if (!g->waiting || g->waiting < g->unfinished)
		return;
	g->waiting = 0;
	for (uint32_t i = first; i < first + g->stream->warp_count; i++) {
		struct sm_warp *w = &sm->warps[i];

		if (w->next.at != w->next.end && *w->ready == NEVER) {
			/* the barrier: it stayed until now to tell waiting from finished */
			stream_cursor_next(&w->next, g->stream);
			set_ready(sm, i, cycle);
		}
	}
}

/* Tell who wants to know of each access. */
static void tell_access(const struct sm *sm, const struct sm_warp *w)
{
	const struct group_stream *stream = sm->groups[w->group_slot].stream;
	struct warp_access a = { .group = stream->group,
		                 .warp = w->warp,
		                 .site = w->next.at->site };

	group_stream_lanes(stream, w->next.at, &a);
	sm->port->access(sm->port->context, sm->shape.number, &a, sm->now);
}

/* Send an access' requests; the cycle when the warp is ready again. */
static uint64_t access_memory(struct sm *sm, struct sm_warp *w)
{
	const struct group_stream *stream = sm->groups[w->group_slot].stream;
	struct request r = { .site = w->next.at->site,
		             .kind = sm->table->sites[w->next.at->site].kind,
		             .warp = w->warp,
		             .group = stream->group };
	uint64_t ready = sm->now + 1, at = sm->now;

	if (sm->port->access)
		tell_access(sm, w);
	for (uint32_t i = 0; i < w->next.at->request_count; i++) {
		const struct stream_request *asked = &w->next.requests[i];
		const struct pattern *p = pattern_set_at(&stream->patterns, asked->pattern);
		uint64_t there;

		r.line = asked->line + w->next.moved_bytes;
		r.used = pattern_set_mask(&stream->patterns, asked->pattern);
		r.bytes_used = p->bytes_used;
		r.sectors = p->sectors;
		r.lanes = p->lanes;
		r.buffer = asked->buffer;
		there = sm->port->request(sm->port->context, sm->shape.number, &r, at);
		at += sm->shape.request_cycles;
		if (r.kind != SITE_WRITE && there > ready)
			ready = there;
	}
	sm->port_free = at;
	sm->counts.requests += w->next.at->request_count;
	if (r.kind == SITE_READ)
		sm->counts.reads += w->next.at->request_count;
	return ready;
}

static void issue(struct sm *sm, uint32_t warp_slot)
{
	struct sm_warp *w = &sm->warps[warp_slot];
	uint64_t ready;

	if (sm->table->sites[w->next.at->site].kind == SITE_BARRIER) {
		set_ready(sm, warp_slot, NEVER);
		sm->groups[w->group_slot].waiting++;
		open_barrier(sm, w->group_slot, sm->now + 1);
		return;
	}
	ready = access_memory(sm, w);
	stream_cursor_next(&w->next, sm->groups[w->group_slot].stream);
	set_ready(sm, warp_slot, ready);
}

static bool is_access(const struct sm *sm, const struct sm_warp *w)
{
	return sm->table->sites[w->next.at->site].kind != SITE_BARRIER;
}

/* The next cycle in which a scheduler whose turn is at a held access may choose again. */
static uint64_t next_choice(const struct sm *sm, const struct sm_scheduler *s)
{
	uint64_t next = sm->port_free;

	for (uint32_t i = 0; i < s->queue.count; i++)
		if (s->queue.ready[i] > sm->now && s->queue.ready[i] < next)
			next = s->queue.ready[i];
	return next;
}

/* Let scheduler number `i` issue, if it can, in this cycle. */
static void run_scheduler(struct sm *sm, uint32_t i)
{
	struct sm_scheduler *s = &sm->schedulers[i];
	uint64_t wake;
	bool takes_port;
	uint32_t found;

	if (s->wake > sm->now)
		return;
	found = issue_order_choose(&sm->shape.order, &s->queue, sm->now, &wake);
	if (found == s->queue.count) {
		s->wake = wake;
		return;
	}
	takes_port = sm->shape.request_cycles &&
	             is_access(sm, &sm->warps[found * sm->shape.schedulers + i]);
	if (takes_port && sm->port_free > sm->now) {
		s->wake = next_choice(sm, s);
		return;
	}
	s->wake = sm->now + 1;
	issue_order_issued(&sm->shape.order, &s->queue, found, ++sm->number);
	issue(sm, found * sm->shape.schedulers + i);
	if (takes_port)
		sm->first = (i + 1) % sm->shape.schedulers;
}

/* Retire the warps of a slot that have finished by now; true when the group has ended. */
static bool retire(struct sm *sm, uint32_t slot)
{
	struct sm_group *g = &sm->groups[slot];
	uint32_t first = slot * sm->shape.warps_per_group;

	if (!g->stream)
		return false;
	for (uint32_t i = first; i < first + g->stream->warp_count; i++) {
		struct sm_warp *w = &sm->warps[i];

		if (w->next.at != w->next.end || *w->ready == NEVER)
			continue;
		if (*w->ready > sm->now) {
			if (*w->ready < sm->next_end)
				sm->next_end = *w->ready;
			continue;
		}
		*w->ready = NEVER;
		g->unfinished--;
	}
	open_barrier(sm, slot, sm->now);
	if (g->unfinished)
		return false;
	g->stream = NULL;
	sm->resident--;
	return true;
}

/* Retire what has finished by now; true when that ends a group, of which there may be more. */
static bool retire_all(struct sm *sm, uint32_t *slot)
{
	sm->next_end = NEVER;
	for (uint32_t i = 0; i < sm->shape.group_slots; i++)
		if (retire(sm, i)) {
			*slot = i;
			sm->next_end = sm->now; /* look again at the slots not looked at */
			return true;
		}
	return false;
}

/* The next cycle in which something can happen. */
static uint64_t next_cycle(const struct sm *sm)
{
	uint64_t next = sm->next_end;

	for (uint32_t i = 0; i < sm->shape.schedulers; i++)
		if (sm->schedulers[i].wake < next)
			next = sm->schedulers[i].wake;
	return next;
}

bool sm_run(struct sm *sm, uint64_t until, uint32_t *slot)
{
	while (sm->resident) {
		while (sm->next_end <= sm->now) /* passing a barrier may finish more warps */
			if (retire_all(sm, slot))
				return true;
		if (sm->now >= until)
			return false;
		for (uint32_t i = 0, first = sm->first; i < sm->shape.schedulers; i++)
			run_scheduler(sm, (first + i) % sm->shape.schedulers);
		sm->now = next_cycle(sm);
		assert(sm->now != NEVER);
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
