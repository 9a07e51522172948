/* SPDX-License-Identifier: Apache-2.0 */
#include "later_port.h"

#include "cmocka_all.h"
#include "err.h"

#include <stddef.h>
#include <string.h>

static uint64_t request(void *context, uint32_t sm, const struct request *r, uint64_t now)
{
	struct later_port *p = context;
	struct later_sm *s = &p->sms[sm];
	struct logged *l = &s->log[s->count++];
	uint64_t latency;

	assert_true(s->count < LATER_PORT_LOG);
	*l = (struct logged){ .cycle = now,
		              .group = r->group,
		              .line = r->line,
		              .sm = sm,
		              .warp = r->warp,
		              .site = r->site,
		              .lanes = r->lanes,
		              .bytes_used = r->bytes_used,
		              .buffer = r->buffer,
		              .kind = r->kind };
	latency = p->play->latency(l);
	s->wrong += now < p->last_until || atomic_load(&p->is_settling);
	s->wrong += s->count > 1 && now < l[-1].cycle;
	if (p->way != LATER_PORT_LATER || latency < p->port.horizon_cycles)
		return now + latency;
	if (r->kind != SITE_WRITE)
		s->waiting[s->waiting_count++] =
			(struct later_request){ now, now + latency, r->waiter, false };
	return MEMORY_LATER;
}

static uint64_t port_free(void *context, uint32_t sm)
{
	const struct later_port *p = context;
	struct later_sm *s = &((struct later_port *)context)->sms[sm];

	s->wrong += atomic_load(&p->is_settling);
	if (s->count != s->count_asked) {
		const struct logged *last = &s->log[s->count - 1];
		uint64_t closed = p->closed(last);

		s->count_asked = s->count;
		s->free = closed ? last->cycle + closed : 0;
		s->free_asked = last->cycle;
		s->is_free_known = p->way != LATER_PORT_LATER || closed < p->port.horizon_cycles;
	}
	return s->is_free_known ? s->free : MEMORY_LATER;
}

/* Of what was asked before `until` the times are known; some are held back while they may be. */
static void settle_sm(struct later_port *p, struct later_sm *s, uint64_t until)
{
	for (uint32_t i = 0; i < s->waiting_count; i++) {
		struct later_request *w = &s->waiting[i];
		bool can_wait =
			!p->is_prompt && w->there >= until + p->port.horizon_cycles && w->there % 3;

		p->wrong += w->cycle > until || w->there < until || w->is_known;
		w->is_known = w->cycle < until && !can_wait;
	}
	if (s->free_asked < until)
		s->is_free_known = true;
	p->wrong += s->count && s->log[s->count - 1].cycle > until;
}

static void settle(void *context, uint64_t until)
{
	struct later_port *p = context;

	p->wrong += atomic_exchange(&p->is_settling, true);
	p->wrong += p->rounds && until <= p->last_until;
	if (p->rounds < LATER_PORT_ROUNDS)
		p->until[p->rounds] = until;
	p->rounds++;
	p->last_until = until;
	for (uint32_t i = 0; until != UINT64_MAX && i < LATER_PORT_SMS; i++)
		settle_sm(p, &p->sms[i], until);
	atomic_store(&p->is_settling, false);
}

/* The last that is known first. */
static bool next_answer(void *context, uint32_t sm, struct memory_answer *out)
{
	struct later_sm *s = &((struct later_port *)context)->sms[sm];

	for (uint32_t i = s->waiting_count; i--;) {
		if (!s->waiting[i].is_known)
			continue;
		*out = (struct memory_answer){ s->waiting[i].waiter, s->waiting[i].there };
		s->waiting[i] = s->waiting[--s->waiting_count];
		return true;
	}
	return false;
}

void later_port_init(struct later_port *p, struct launch_play *play, enum later_port_way way,
                     uint64_t horizon_cycles)
{
	memset(&p->port, 0, sizeof(p->port));
	p->play = play;
	p->way = way;
	p->closed = NULL;
	p->is_prompt = false;
	p->port.context = p;
	p->port.request = request;
	p->port.horizon_cycles = horizon_cycles;
	p->port.settle = way == LATER_PORT_AT_ONCE ? NULL : settle;
	p->port.next_answer = way == LATER_PORT_LATER ? next_answer : NULL;
}

void later_port_play(struct later_port *p)
{
	struct err err = { 0 };

	p->rounds = p->last_until = 0;
	p->wrong = 0;
	atomic_store(&p->is_settling, false);
	for (uint32_t i = 0; i < LATER_PORT_SMS; i++) {
		struct later_sm *s = &p->sms[i];

		s->count = s->count_asked = s->waiting_count = s->wrong = 0;
		s->free = s->free_asked = 0;
		s->is_free_known = true;
	}
	p->port.port_free = p->closed ? port_free : NULL;
	p->play->port = &p->port;
	if (launch_play(p->play, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(p->wrong, 0);
	for (uint32_t i = 0; i < LATER_PORT_SMS; i++) {
		assert_int_equal(p->sms[i].wrong, 0);
		assert_int_equal(p->sms[i].waiting_count, 0);
	}
	assert_true(p->way == LATER_PORT_AT_ONCE ? !p->rounds : p->last_until == UINT64_MAX);
}
