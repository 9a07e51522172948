/* SPDX-License-Identifier: Apache-2.0 */
#include "sm_private.h"

#include <assert.h>

/* The port takes an access from that cycle on, which is earlier than schedulers know. */
static void wake_schedulers(struct sm *sm, uint64_t cycle)
{
	for (uint32_t i = 0; i < sm->shape.schedulers; i++)
		if (cycle < sm->schedulers[i].wake)
			sm->schedulers[i].wake = cycle;
	if (sm->reorder && cycle < sm->next_grant)
		sm->next_grant = cycle;
}

void sm_ask_port(struct sm *sm)
{
	uint64_t before = sm->port_free, says;

	if (sm->kept.requests.count)
		return;
	says = sm->port->port_free(sm->port->context, sm->shape.number);
	sm->port_free = says > sm->sent_until ? says : sm->sent_until;
	if (sm->port_free < before)
		wake_schedulers(sm, sm->port_free);
}

/* An answer to `waiter`, who awaits one, of a `cycle` >= sm_now(); sm_begin_round() calls it. */
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
	if (w->data < w->scheduler->wake) /* at its end, too: prr may have come to its turn */
		w->scheduler->wake = w->data;
	sm->busy_data = w->data;
}

/* Send what has been kept up to the horizon. */
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

/* What a warp will need for its next access, beside the warp. */
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
 * Other SMs have had the processor's caches for a round. What warps do next is fetched for all at
 * once, not for each when its turn comes; what tells where something is, before that.
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
		sm_ask_port(sm);
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
