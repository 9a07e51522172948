/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_private.h"

#include "reorder_unit.h"

/* Report an access to port->access(). */
static void report_access(const struct sm *sm, const struct sm_warp *w)
{
	const struct group_stream *stream = sm->groups[w->group_slot].stream;
	struct warp_access a = { .group = stream->group,
		                 .warp = w->warp,
		                 .site = w->next.at->site };

	stream_cursor_lanes(&w->next, stream, &a);
	sm->port->access(sm->port->context, sm->shape.number, &a, sm->now);
}

/* Fill in request `i` of the warp's access. */
static void fill_request(struct request *r, const struct group_stream *stream,
                         const struct sm_warp *w, uint32_t i)
{
	const struct stream_request *asked = &w->next.requests[i];
	const struct pattern *p = pattern_set_at(&stream->patterns, asked->pattern);

	r->line = asked->line + w->next.moved_bytes;
	r->used = pattern_set_mask(&stream->patterns, asked->pattern);
	r->bytes_used = p->bytes_used;
	r->sectors = p->sectors;
	r->lanes = p->lanes;
	r->buffer = asked->buffer;
}

/* Send the requests of an access, or keep them, and record in *w when their data arrives, as far as
 * known. */
static void access_memory(struct sm *sm, struct sm_warp *w)
{
	const struct group_stream *stream = sm->groups[w->group_slot].stream;
	struct request r = { .site = w->next.at->site,
		             .kind = sm->table->sites[w->next.at->site].kind,
		             .warp = w->warp,
		             .waiter = (uint32_t)(w - sm->warps),
		             .group = stream->group };
	uint64_t data = w->data > sm->now ? w->data : sm->now + 1, at = sm->now;
	uint32_t later = 0;

	if (sm->port->access)
		report_access(sm, w);
	for (uint32_t i = 0; i < w->next.at->request_count; i++) {
		uint64_t there = MEMORY_LATER;

		fill_request(&r, stream, w, i);
		r.is_last = i + 1 == w->next.at->request_count;
		if (at <= sm->horizon)
			there = sm->port->request(sm->port->context, sm->shape.number, &r, at);
		else
			kept_requests_add(&sm->kept, &r, stream->patterns.mask_words, at);
		at += sm->shape.request_cycles;
		if (there <= data || r.kind == SITE_WRITE)
			continue;
		if (there == MEMORY_LATER)
			later++;
		else
			data = there;
	}
	w->data = data;
	w->awaited += later;
	sm->awaited += later;
	sm->port_free = sm->sent_until = at;
	if (sm->port->port_free)
		sm_update_port(sm);
	sm->counts.requests += w->next.at->request_count;
	if (r.kind == SITE_READ)
		sm->counts.reads += w->next.at->request_count;
}

/* Whether a warp may issue its next instruction before the data it has requested arrives. */
static bool is_free_to_go_on(const struct sm *sm, const struct sm_warp *w, bool has_sub_warp)
{
	if (has_sub_warp)
		return true;
	return sm->is_independent && !sm_warp_is_at_end(w) && sm->is_independent[w->next.at->site];
}

/* Make the next access of a warp now. */
static void make_access(struct sm *sm, uint32_t warp_slot)
{
	struct sm_warp *w = &sm->warps[warp_slot];
	bool has_sub_warp = w->next.at->is_followed;
	uint64_t ready;

	access_memory(sm, w);
	stream_cursor_next(&w->next, sm->groups[w->group_slot].stream);
	ready = w->awaited ? MEMORY_LATER : w->data;
	sm_set_ready(sm, warp_slot, is_free_to_go_on(sm, w, has_sub_warp) ? sm->now + 1 : ready);
}

static void issue(struct sm *sm, uint32_t warp_slot)
{
	struct sm_warp *w = &sm->warps[warp_slot];

	if (sm->table->sites[w->next.at->site].kind == SITE_BARRIER) {
		sm_stop(sm, warp_slot);
		sm->groups[w->group_slot].waiting++;
		sm_open_barrier(sm, w->group_slot, sm->now + 1);
	} else if (sm->reorder) {
		sm_set_ready(sm, warp_slot, NEVER);
		reorder_unit_enter(sm->reorder, warp_slot);
	} else {
		make_access(sm, warp_slot);
	}
}

static bool is_access(const struct sm *sm, const struct sm_warp *w)
{
	return sm->table->sites[w->next.at->site].kind != SITE_BARRIER;
}

/* Returns the next cycle in which a scheduler whose chosen access finds the port busy may choose
 * again. */
static uint64_t next_choice(const struct sm *sm, const struct sm_scheduler *s)
{
	const uint64_t *ready = s->queue.ready, after = sm->now + 1;
	uint64_t least = sm->port_free - after, other = least, wait;
	uint32_t count = s->held == NO_WARP && least ? s->queue.count : 0, i = 0;

	for (; i + 1 < count; i += 2) {  /* two independent chains, which run in parallel */
		wait = ready[i] - after; /* almost 2^64 for those that are ready now */
		least = wait < least ? wait : least;
		wait = ready[i + 1] - after;
		other = wait < other ? wait : other;
	}
	wait = i < count ? ready[i] - after : other;
	least = wait < least ? wait : least;
	return after + (other < least ? other : least);
}

/* Returns the warp that still has sub-warps to issue, or the one that the order chooses. */
static uint32_t choose(struct sm *sm, struct sm_scheduler *s, uint64_t *wake)
{
	if (s->held != NO_WARP)
		return s->held;
	return issue_order_choose(&sm->shape.order, &s->queue, sm->now, wake);
}

/* Scheduler number `i` issues the warp `found` of its queue. */
static void issue_found(struct sm *sm, uint32_t i, uint32_t found, bool takes_port)
{
	struct sm_scheduler *s = &sm->schedulers[i];
	uint32_t warp_slot = found * sm->shape.schedulers + i;
	uint64_t ready;

	s->wake = sm->now + 1;
	s->held = sm->warps[warp_slot].next.at->is_followed ? found : NO_WARP;
	issue_order_issued(&sm->shape.order, &s->queue, found, ++sm->number);
	issue(sm, warp_slot);
	ready = s->queue.ready[found];
	if (sm->is_one_by_one && ready != NEVER) { /* neither waiting at a barrier nor past it */
		sm->busy_data = ready;
		sm->busy_until = ready > sm->port_free ? ready : sm->port_free;
	}
	if (takes_port)
		sm->first = (i + 1) % sm->shape.schedulers;
}

/* Let scheduler number `i` issue in this cycle if it can. */
static void run_scheduler(struct sm *sm, uint32_t i)
{
	struct sm_scheduler *s = &sm->schedulers[i];
	uint64_t wake = NEVER;
	bool takes_port;
	uint32_t found;

	if (s->wake > sm->now)
		return;
	if (sm->busy_until > sm->now) {
		s->wake = sm->busy_until;
		return;
	}
	found = choose(sm, s, &wake);
	if (found == s->queue.count) {
		s->wake = wake;
		return;
	}
	takes_port = sm->has_port_limit && !sm->reorder &&
	             is_access(sm, &sm->warps[found * sm->shape.schedulers + i]);
	if (takes_port && sm->port_free > sm->now) {
		s->wake = next_choice(sm, s);
		return;
	}
	issue_found(sm, i, found, takes_port);
}

/* Send the accesses whose turn has come, as far as the port takes them. */
static void send_in_order(struct sm *sm)
{
	uint32_t warp_slot;

	sm->next_grant = NEVER;
	reorder_unit_set_last(sm->reorder, sm->resident < sm->shape.group_slots);
	while (reorder_unit_next(sm->reorder, &warp_slot)) {
		if (sm->port_free > sm->now) {
			sm->next_grant = sm->port_free;
			return;
		}
		reorder_unit_sent(sm->reorder);
		make_access(sm, warp_slot);
	}
}

void sm_issue(struct sm *sm)
{
	for (uint32_t i = 0, first = sm->first; i < sm->shape.schedulers; i++)
		run_scheduler(sm, (first + i) % sm->shape.schedulers);
	if (sm->reorder)
		send_in_order(sm);
}
